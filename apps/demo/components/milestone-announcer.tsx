'use client';

import { useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../agent/chat-message';
import { milestonesOf } from './milestones';

/** Tells screen readers what has happened, once for each event. What a chat held when it was opened is not news. */
export function MilestoneAnnouncer({
  messages,
  isAnswering,
}: {
  messages: readonly ChatMessage[];
  isAnswering: boolean;
}) {
  const told = useRef<Set<string>>(null);
  const [words, setWords] = useState('');

  useEffect(() => {
    const milestones = milestonesOf(messages, { isAnswering });
    if (told.current === null) {
      told.current = new Set(milestones.map(({ key }) => key));
      return;
    }
    const heard = told.current;
    const news = milestones.filter(({ key }) => !heard.has(key));
    if (news.length === 0) return;
    for (const { key } of news) heard.add(key);
    setWords(news.map((milestone) => milestone.words).join(' '));
  }, [messages, isAnswering]);

  return (
    <p role="status" aria-live="polite" data-milestones className="sr-only">
      {words}
    </p>
  );
}
