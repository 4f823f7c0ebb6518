import { ArrowRight } from 'lucide-react';
import { suggestedPrompts } from '../agent/suggested-prompts';
import { type CodeLine, changedCode, codeChange } from './code-change';
import { CopyButton } from './copy-button';
import { ScrollRegion } from './scroll-region';

const installCommand = 'npm install ai-truncate';

interface LandingProps {
  onAsk: (prompt: string) => void;
  /** Somebody is about to ask. */
  onIntent: () => void;
}

/** The empty chat is the landing page: what the library is, how it is installed, and four things to try at once. */
export function Landing({ onAsk, onIntent }: LandingProps) {
  return (
    <div className="mx-auto grid w-full max-w-5xl gap-x-12 gap-y-7 px-4 py-7 sm:px-6 lg:grid-cols-[5fr_6fr] lg:items-center">
      <div>
        <h1 className="text-balance font-semibold text-display tracking-[-0.035em]">
          <span className="block">Huge tool outputs. </span>
          <span className="block">Small context. </span>
          <span className="block">Nothing lost.</span>
        </h1>
        <p className="mt-4 max-w-[34rem] text-pretty text-[1.0625rem] text-muted leading-relaxed">
          Wrap your AI SDK tools once. The model gets a short preview, every byte stays in your store, and a{' '}
          <span className="whitespace-nowrap">sub-agent</span> finds the line that matters.
        </p>
        <div className="mt-6 flex max-w-sm items-center gap-2 rounded-xl border border-line bg-card py-1.5 pr-1.5 pl-4">
          <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap font-mono text-sm">{installCommand}</code>
          <CopyButton text={installCommand} label="Copy" />
        </div>
      </div>
      <section aria-labelledby="prompts" className="lg:order-last lg:col-span-2">
        <h2 id="prompts" className="font-medium text-muted text-sm">
          Try it here. No API key, no sign-up.
        </h2>
        <ul className="mt-3 grid gap-2.5 sm:grid-cols-2 lg:grid-cols-4">
          {suggestedPrompts.map(({ prompt, shows }, index) => (
            <li key={prompt} className="flex">
              <button
                type="button"
                onClick={() => onAsk(prompt)}
                onPointerEnter={onIntent}
                onFocus={onIntent}
                className={`group flex w-full flex-col items-start gap-1 rounded-xl border p-4 text-left transition-colors hover:border-accent ${
                  index === 0 ? 'border-accent/40 bg-accent-soft' : 'border-line bg-card'
                }`}
              >
                <span className="flex w-full items-baseline justify-between gap-2 font-medium">
                  {prompt}
                  <ArrowRight
                    aria-hidden
                    className="size-4 shrink-0 translate-y-0.5 text-muted transition-transform group-hover:translate-x-0.5"
                  />
                </span>
                <span className="text-pretty text-muted text-sm first-letter:uppercase">{shows}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <CodeChange />
    </div>
  );
}

const marks = { same: ' ', added: '+', removed: '-' } as const;
const colours = {
  same: '',
  added: 'bg-success-soft text-success',
  removed: 'bg-failure-soft text-failure',
} as const;

function CodeChange() {
  return (
    <figure className="min-w-0 overflow-hidden rounded-2xl border border-line bg-card">
      <figcaption className="flex items-center justify-between gap-2 border-line border-b py-1.5 pr-1.5 pl-4 text-muted text-sm">
        <span>
          What you change in <span className="font-mono text-ink">route.ts</span>
        </span>
        <CopyButton text={changedCode} label="Copy code" />
      </figcaption>
      <ScrollRegion label="The change" className="py-3">
        <pre className="font-mono text-[0.8125rem] leading-[1.375rem]">
          <code className="block w-max min-w-full">
            {codeChange.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
              <Line key={index} line={line} />
            ))}
          </code>
        </pre>
      </ScrollRegion>
    </figure>
  );
}

function Line({ line: { kind, text } }: { line: CodeLine }) {
  return (
    <span className={`block px-4 ${colours[kind]}`}>
      <span aria-hidden className="mr-3 inline-block w-[1ch] select-none opacity-80">
        {marks[kind]}
      </span>
      {kind !== 'same' && <span className="sr-only">{kind}: </span>}
      {text}
      {'\n'}
    </span>
  );
}
