'use client';

import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ArtifactPanelProps } from './artifact-panel';
import { formatPanelAddress, type PanelAddress, panelAddressOf, parsePanelAddress } from './panel-address';

// Most chats are read without opening an output. Where it cannot be fetched, the link still leads to the page.
const ArtifactPanel = lazy(() => import('./artifact-panel').catch(() => ({ default: PageInstead })));

interface PanelAreaProps {
  chat: string;
  /** Takes the focus of a panel that no link has opened. */
  composer: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A chat, and beside it the output that one of its links leads to. On a narrow screen the output takes the chat's place. */
export function PanelArea({ chat, composer, children }: PanelAreaProps) {
  const [address, setAddress] = useState<PanelAddress>();
  const content = useRef<HTMLDivElement>(null);
  /** What opened the panel, to go back to. */
  const opener = useRef<HTMLElement>(undefined);
  const isPushed = useRef(false);
  const isOpen = address !== undefined;

  useEffect(() => {
    function read() {
      const found = parsePanelAddress(window.location.hash);
      setAddress(found);
      if (!found) isPushed.current = false;
    }
    if (window.location.hash !== '') read();
    window.addEventListener('popstate', read);
    return () => window.removeEventListener('popstate', read);
  }, []);

  useEffect(() => {
    const element = content.current;
    function open(event: MouseEvent) {
      // With these, a link does what links do: another tab, another window, a download.
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const found = panelAddressOf(link?.getAttribute('href') ?? null);
      if (!link || !found) return;
      event.preventDefault();
      opener.current = link;
      const hash = formatPanelAddress(found);
      if (isPushed.current) window.history.replaceState(null, '', hash);
      else window.history.pushState(null, '', hash);
      isPushed.current = true;
      setAddress(found);
    }
    element?.addEventListener('click', open);
    return () => element?.removeEventListener('click', open);
  }, []);

  useEffect(() => {
    if (!isOpen) return;
    // Not where the panel is closed: on a narrow screen the chat is hidden until it is drawn again, and takes no focus.
    return () => {
      const origin = opener.current?.isConnected ? opener.current : composer.current;
      opener.current = undefined;
      origin?.focus();
    };
  }, [isOpen, composer]);

  const close = useCallback(() => {
    // Back to where it was opened; a page that was loaded with it has no such place.
    if (isPushed.current) return window.history.back();
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    setAddress(undefined);
  }, []);

  const select = useCallback((next: PanelAddress) => {
    window.history.replaceState(null, '', formatPanelAddress(next));
    setAddress(next);
  }, []);

  return (
    <div className="flex min-h-0 flex-1">
      <div ref={content} className={`flex min-h-0 min-w-0 flex-1 flex-col ${address ? 'max-lg:hidden' : ''}`}>
        {children}
      </div>
      {address && (
        <aside aria-label="Output" className="flex min-w-0 flex-1 border-line bg-page lg:border-l xl:flex-[1.2]">
          <Suspense fallback={<p className="m-auto text-muted">Loading…</p>}>
            <ArtifactPanel key={address.name} chat={chat} address={address} onAddress={select} onClose={close} />
          </Suspense>
        </aside>
      )}
    </div>
  );
}

function PageInstead({ chat, address: { name } }: ArtifactPanelProps) {
  return (
    <a className="quiet-button m-auto" href={`/a/${name}?${new URLSearchParams({ chat })}`}>
      Open the output
    </a>
  );
}
