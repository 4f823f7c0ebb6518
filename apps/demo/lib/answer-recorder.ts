import type { ChatMessage } from '../agent/chat-message';
import type { ChatEvent } from './chat-event';

/** Turns the states of a growing answer into events: each gives the parts that changed since the one before. */
export function answerRecorder(before: ChatMessage | undefined) {
  const written = new Map(before?.parts.map((part, index) => [index, JSON.stringify(part)]));
  let writtenMetadata = JSON.stringify(before?.metadata);

  return function eventsOf({ id: messageId, parts, metadata }: ChatMessage): ChatEvent[] {
    // An answer that failed before its first word is none: a message without content cannot be sent to a model.
    if (parts.every(({ type }) => type === 'step-start')) return [];
    const events: ChatEvent[] = [];
    for (const [index, part] of parts.entries()) {
      const text = JSON.stringify(part);
      if (written.get(index) === text) continue;
      written.set(index, text);
      events.push({ type: 'part', messageId, index, part: JSON.parse(text) });
    }
    const metadataText = JSON.stringify(metadata);
    if (metadata && metadataText !== writtenMetadata) {
      writtenMetadata = metadataText;
      events.push({ type: 'metadata', messageId, metadata: JSON.parse(metadataText) });
    }
    return events;
  };
}
