import { type FunctionComponent, lazy, Suspense, useReducer } from 'react';

interface Retryable {
  onRetry(): void;
}

interface Part<PROPS> {
  Fetched: FunctionComponent<PROPS & Retryable>;
  attempt(): FunctionComponent<PROPS & Retryable>;
}

/** A part of the viewer that most visitors never see: its script is fetched when it is first shown. Where that fails, it says so. */
export function onDemand<PROPS extends object>(
  load: () => Promise<FunctionComponent<PROPS>>,
): FunctionComponent<PROPS> {
  const attempt = () =>
    lazy(async (): Promise<{ default: Part<PROPS>['Fetched'] }> => ({ default: await load().catch(() => Missing) }));
  const part: Part<PROPS> = { Fetched: attempt(), attempt };
  return (props) => <Shown part={part} props={props} />;
}

function Shown<PROPS extends object>({ part, props }: { part: Part<PROPS>; props: PROPS }) {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  function retry() {
    part.Fetched = part.attempt();
    drawAgain();
  }
  return (
    <Suspense>
      <part.Fetched {...props} onRetry={retry} />
    </Suspense>
  );
}

function Missing({ onRetry }: Retryable) {
  return (
    <p role="alert" className="border-line border-t px-3 py-2 text-failure text-sm">
      This part of the page could not be loaded. Check the connection.{' '}
      <button type="button" className="quiet-button" onClick={onRetry}>
        Retry
      </button>
    </p>
  );
}
