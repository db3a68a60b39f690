import { useEffect, useId, useRef } from 'react';
import { CircleAlert } from '#src/ui/icon.tsx';

type ErrorListProps = {
  /** The contract's messages; an empty list shows nothing. */
  messages: readonly string[];
  /** Counts the attempts, so that the same problems are announced again. */
  attempt?: number;
  /** The specification's heading (A§2, gallery editor) unless a form has its own. */
  heading?: string;
};

/**
 * All problems of a form together. Gets the focus when an attempt finds problems, so that users see immediately what
 * went wrong; it shrinks smoothly while they are fixed.
 */
export function ErrorList({
  messages,
  attempt = 0,
  heading = 'Please correct the following error(s):',
}: ErrorListProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const text = messages.join('\n');
  const before = useRef({ text: '', attempt });
  useEffect(() => {
    const known = before.current.text.split('\n');
    const isNews = text.split('\n').some((message) => !known.includes(message));
    if (text !== '' && (isNews || attempt !== before.current.attempt)) box.current?.focus();
    before.current = { text, attempt };
  }, [text, attempt]);
  if (messages.length === 0) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-labelledby={id}
      className="flex gap-3 rounded border border-danger bg-danger-tint p-4 text-ink"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="min-w-0">
        <p id={id} className="text-sm font-bold">
          {heading}
        </p>
        <ul className="mt-1 list-disc pl-5 text-sm">
          {[...new Set(messages)].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
