import type { ReactNode } from 'react';

/** The top of every page: whose page it is, and what can be done from there. */
export function PageHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="flex h-14 shrink-0 items-center justify-between gap-3 border-line border-b px-3 sm:px-5">
      <a href="/" className="flex shrink-0 items-center gap-2.5 rounded-md font-medium font-mono text-sm">
        <Mark />
        {/* The narrowest phones have room for the mark alone. */}
        <span className="whitespace-nowrap max-[22.5rem]:sr-only">ai-truncate</span>
      </a>
      <div className="flex min-w-0 items-center gap-1">{children}</div>
    </header>
  );
}

function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className="size-5">
      <rect width="24" height="24" rx="6" className="fill-ink" />
      <path d="M6.5 8h11M6.5 16h11" strokeWidth="2.2" strokeLinecap="round" className="stroke-page" />
      <path d="M7 12h.01M12 12h.01M17 12h.01" strokeWidth="2.4" strokeLinecap="round" className="stroke-page" />
    </svg>
  );
}
