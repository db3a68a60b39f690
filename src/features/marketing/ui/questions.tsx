import type { ReactNode } from 'react';
import { ChevronDown } from '#src/ui/icon.tsx';

export type Answered = { question: string; answer: ReactNode };

/** Questions that open at a press, with or without scripts; a search in the page finds the closed ones, too. */
export function Questions({ items }: { items: readonly Answered[] }) {
  return (
    <div className="border-b border-line">
      {items.map(({ question, answer }) => (
        <details key={question} className="group border-t border-line">
          <summary className="flex min-h-13 list-none items-center justify-between gap-4 py-3 font-semibold [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 text-quiet transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <div className="flex flex-col gap-3 pr-9 pb-5 text-pretty text-quiet">{answer}</div>
        </details>
      ))}
    </div>
  );
}
