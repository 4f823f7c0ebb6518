/** Says that no LLM answers. A click shows an explanation, and how to use your own key. It works without JavaScript. */
export function ScriptedBadge() {
  return (
    <>
      <button
        type="button"
        popoverTarget="scripted-badge"
        className="mr-2 flex min-h-6 min-w-0 items-center whitespace-nowrap rounded-full border border-line px-2.5 py-0.5 text-muted text-xs hover:border-line-strong hover:text-ink"
      >
        Scripted · no LLM
      </button>
      <div
        id="scripted-badge"
        popover="auto"
        role="note"
        aria-label="About the scripted replies"
        className="fixed inset-auto top-15 right-3 m-0 w-[min(22rem,calc(100vw-1.5rem))] rounded-xl border border-line bg-card p-4 text-ink text-sm leading-relaxed shadow-lg sm:right-5"
      >
        <p>
          The replies are scripted: rules choose the tools and write the answers. Tools, truncation, storage and search
          are real.
        </p>
        <p className="mt-3 text-muted">To get answers from a real LLM, run the demo with your own key:</p>
        <pre className="mt-1.5 overflow-x-auto rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-ink text-xs">
          OPENAI_API_KEY=sk-… npm run demo
        </pre>
      </div>
    </>
  );
}
