'use client';

import { type ComponentProps, memo } from 'react';
import { type Components, Streamdown } from 'streamdown';
import { answerHref } from './artifact-link';
import { useChatId } from './chat-id';
import { ScrollRegion } from './scroll-region';

/**
 * Markdown of a model, which repeats what tools returned and so is not trusted: HTML is text, an image is its description (the
 * address of one would carry what was read out of this page), and a link is a real link or none at all.
 */
const Markdown = memo(function Markdown({ text, isArriving }: { text: string; isArriving: boolean }) {
  return (
    <Streamdown
      className="flex flex-col gap-4 break-words"
      components={components}
      rehypePlugins={noPlugins}
      linkSafety={plainLinks}
      controls={false}
      isAnimating={isArriving}
      mode={isArriving ? 'streaming' : 'static'}
    >
      {text}
    </Streamdown>
  );
});

export default Markdown;

// Outside of the component: the renderer keeps what it has drawn only while these stay the same objects.
// Its own plugins would take HTML for HTML. Without them it is text.
const noPlugins: never[] = [];
// Its default turns every link into a button that asks first.
const plainLinks = { enabled: false };

const components: Components = {
  a: ({ href, children }) => <AnswerLink href={href}>{children}</AnswerLink>,
  img: ({ alt }) => <span className="text-muted">[{alt || 'image'}]</span>,
  h1: ({ children }) => <h2 className="mt-2 font-semibold text-lg tracking-tight">{children}</h2>,
  h2: ({ children }) => <h2 className="mt-2 font-semibold text-lg tracking-tight">{children}</h2>,
  h3: ({ children }) => <h3 className="mt-1 font-semibold">{children}</h3>,
  h4: ({ children }) => <h4 className="font-semibold">{children}</h4>,
  p: ({ children }) => <p className="text-pretty leading-relaxed">{children}</p>,
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="flex list-decimal flex-col gap-1.5 pl-5 marker:text-muted">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="leading-relaxed">{children}</li>,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  blockquote: ({ children }) => (
    <blockquote className="border-line-strong border-l-2 pl-4 text-muted">{children}</blockquote>
  ),
  hr: () => <hr className="border-line" />,
  pre: ({ children }) => (
    <ScrollRegion label="Code" className="max-h-96 rounded-lg border border-line bg-sunken px-3.5 py-3">
      <pre className="w-max font-mono text-xs [&_code]:border-0 [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-[1em]">
        {children}
      </pre>
    </ScrollRegion>
  ),
  code: ({ children }) => <code className="font-mono text-[0.92em]">{children}</code>,
  inlineCode: ({ children }) => (
    <code className="break-words rounded-md border border-line bg-sunken px-1 py-px font-mono text-[0.86em]">
      {children}
    </code>
  ),
  table: ({ children }) => (
    <ScrollRegion label="Table" className="rounded-lg border border-line">
      <table className="w-full border-collapse text-sm">{children}</table>
    </ScrollRegion>
  ),
  thead: ({ children }) => <thead className="bg-sunken text-left text-muted">{children}</thead>,
  tbody: ({ children }) => <tbody>{children}</tbody>,
  tr: ({ children }) => <tr className="border-line border-t first:border-t-0">{children}</tr>,
  th: ({ children }) => <th className="px-3 py-2 font-medium">{children}</th>,
  td: ({ children }) => <td className="px-3 py-2 align-top tabular-nums">{children}</td>,
};

function AnswerLink({ href, children }: ComponentProps<'a'>) {
  const target = answerHref(href, { chat: useChatId() });
  if (target === undefined) return <span>{children}</span>;
  const isElsewhere = /^https?:/i.test(target);
  return (
    <a
      href={target}
      className="font-medium text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-accent"
      {...(isElsewhere && { target: '_blank', rel: 'noreferrer' })}
    >
      {children}
    </a>
  );
}
