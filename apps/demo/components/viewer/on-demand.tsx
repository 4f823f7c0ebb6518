import { type ComponentType, lazy, Suspense } from 'react';

/** A part of the viewer that most visitors never see: its script is fetched when it is first shown. Where that fails, it says so. */
export function onDemand<PROPS extends object>(load: () => Promise<ComponentType<PROPS>>): ComponentType<PROPS> {
  const Part = lazy(async () => ({ default: await load().catch(() => Missing) }));
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}

function Missing() {
  return (
    <p role="alert" className="border-line border-t px-3 py-2 text-failure text-sm">
      This part of the page could not be loaded. Check the connection, then reload the page.
    </p>
  );
}
