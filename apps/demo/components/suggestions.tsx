interface SuggestionsProps {
  questions: readonly string[];
  onAsk: (question: string) => void;
}

/** Follow-up questions after the last answer. A click sends the text of the button. */
export function Suggestions({ questions, onAsk }: SuggestionsProps) {
  return (
    <ul aria-label="Suggested questions" className="flex flex-wrap gap-2">
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            className="quiet-button whitespace-normal rounded-full py-1 text-left"
            onClick={() => onAsk(question)}
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
