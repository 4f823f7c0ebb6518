import { X } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';

interface ViewerDialogProps {
  title: string;
  children: ReactNode;
  ref?: Ref<HTMLDialogElement>;
  onClose?(): void;
}

/** Something that is read above the lines, and left with Escape. */
export function ViewerDialog({ title, children, ref, onClose }: ViewerDialogProps) {
  const id = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(56rem,calc(100vw-2rem))] overflow-hidden rounded-2xl border border-line bg-card text-ink shadow-2xl backdrop:bg-black/50"
    >
      <div className="flex max-h-[calc(100dvh-2rem)] flex-col gap-3 p-4">
        <div className="flex items-center justify-between gap-4">
          <h2 id={id} className="font-semibold text-base">
            {title}
          </h2>
          <form method="dialog">
            <button type="submit" className="icon-button" aria-label="Close">
              <X aria-hidden className="size-4" />
            </button>
          </form>
        </div>
        {children}
      </div>
    </dialog>
  );
}
