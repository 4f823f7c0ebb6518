import type { ReactNode, Ref } from 'react';

interface ScrollRegionProps {
  /** Its name, for people who do not see it. */
  label: string;
  className: string;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** Something that may be larger than its place. It has a name and takes the focus, so that a keyboard scrolls it too. */
export function ScrollRegion({ label, className, children, ref }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <section> with a name is a landmark, and a chat would have hundreds.
    <div
      ref={ref}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className={`overflow-auto -outline-offset-2 ${className}`}
    >
      {children}
    </div>
  );
}
