import { DeleteChatButton } from './delete-chat-button';
import { PageActions } from './page-actions';
import { PageHeader } from './page-header';
import { ScriptedBadge } from './scripted-badge';

interface ChatHeaderProps {
  chatId: string;
  modelName: string;
  isScripted: boolean;
}

/** The header of a chat: the model that answers, and the actions on the chat. */
export function ChatHeader({ modelName, isScripted, chatId }: ChatHeaderProps) {
  return (
    <PageHeader>
      {isScripted ? (
        <ScriptedBadge />
      ) : (
        <span className="mr-2 flex min-w-0 items-center gap-1.5 rounded-full border border-line px-2.5 py-0.5 text-muted text-xs">
          <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-success" />
          <span className="truncate">{modelName}</span>
        </span>
      )}
      <DeleteChatButton chatId={chatId} />
      <PageActions />
    </PageHeader>
  );
}
