import { lazy, Suspense } from 'react';
import { ERRORS_SHOWN, rowMessage } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { PreviewTable } from '#src/features/bulk-imports/ui/csv-dialogs.tsx';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { Moves, RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import type { Choices } from '#src/features/roster-imports/ui/use-roster-import.ts';
import type { FirstQuestionsState } from '#src/features/roster-desk/first-questions.client.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { StepHeading } from '#src/ui/step-heading.tsx';
import { Notice } from '#src/ui/notice.tsx';

/** Shown once. */
const FirstQuestions = lazy(async () => ({
  default: (await import('#src/features/roster-desk/ui/first-questions.tsx')).FirstQuestions,
}));

type FoundStepProps = {
  answer: RosterImportAnswer;
  choices: Choices;
  questions: FirstQuestionsState;
  isBusy: boolean;
  onChange: (choices: Choices) => void;
  onStart: () => void;
  onCancel: () => void;
};

const MOVE_WORDS: Record<Moves, string> = {
  move: 'They move',
  join: 'They are on both teams',
  new: 'They are other children of the same name',
};
/** What was found in the file, and what the import will do. */
export function FoundStep({ answer, choices, questions, isBusy, onChange, onStart, onCancel }: FoundStepProps) {
  const { created, updated, skipped, failed } = answer;
  const due = created + updated;
  const will = [
    counted(created, 'new athlete', 'new athletes'),
    ...(updated > 0 ? [`${formatCount(updated)} changed`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} already on the roster`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} with errors`] : []),
  ];
  return (
    <div className="flex flex-col gap-4">
      <StepHeading>{failed > 0 ? words.failedRows(failed) : 'Import this roster?'}</StepHeading>
      {failed > 0 && <p>{due > 0 ? words.IMPORT_THE_OTHERS : words.CORRECT_ROWS}</p>}
      <p role="status" className="tabular-nums">
        {due === 0 && failed === 0 ? words.NOTHING_NEW : will.join(' · ')}
      </p>
      {answer.moving > 0 && (
        <fieldset className="rounded-lg border border-line bg-surface p-4">
          <legend className="float-left mb-2 w-full text-sm font-semibold">{words.MOVES_QUESTION}</legend>
          {words.MOVES.map((moves) => (
            <label key={moves} className="clear-both flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="moves"
                checked={choices.moves === moves}
                onChange={() => onChange({ ...choices, moves })}
                className="size-5 accent-accent-text"
              />
              {MOVE_WORDS[moves]}
            </label>
          ))}
        </fieldset>
      )}
      <Sentences label="Errors" of="errors" answer={answer} />
      <Sentences label="Please check" of="warnings" answer={answer} />
      <Sentences label="Changes" of="changes" answer={answer} />
      {(answer.notices.length > 0 || answer.new_teams.length > 0) && (
        <Notice>
          {answer.notices.map((notice) => (
            <p key={notice}>{notice}</p>
          ))}
          {answer.new_teams.length > 0 && <p>New teams: {answer.new_teams.join(', ')}</p>}
        </Notice>
      )}
      <Preview answer={answer} />
      {questions.isOpen && (
        <Card className="p-5">
          <Suspense>
            <FirstQuestions {...questions} />
          </Suspense>
        </Card>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel} disabled={isBusy}>
          Cancel
        </Button>
        <Button onClick={onStart} disabled={due === 0} busy={isBusy && 'Saving...'}>
          {failed > 0 ? 'Proceed with Valid Rows' : 'Save'}
        </Button>
      </div>
    </div>
  );
}

type SentencesProps = { label: string; of: 'errors' | 'warnings' | 'changes'; answer: RosterImportAnswer };

function Sentences({ label, of, answer }: SentencesProps) {
  const sentences = answer.rows.flatMap((row) => row[of].map((each) => rowMessage(row.row, each)));
  const count = answer.sentences?.[of] ?? sentences.length;
  if (sentences.length === 0) return null;
  return (
    <section aria-label={label}>
      <h3 className="mb-1 text-sm font-semibold">{label}</h3>
      <ul
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
        tabIndex={0}
        className="max-h-60 overflow-y-auto rounded border border-line bg-sunken px-3 py-2 text-sm tabular-nums"
      >
        {sentences.slice(0, ERRORS_SHOWN).map((each, at) => (
          <li key={`${at} ${each}`} className="py-0.5">
            {each}
          </li>
        ))}
      </ul>
      {count > ERRORS_SHOWN && (
        <p className="text-sm text-quiet">
          The first {ERRORS_SHOWN} of {formatCount(count)}.
        </p>
      )}
    </section>
  );
}

/** The first rows as they were understood, and which of them are new. */
function Preview({ answer: { preview, rows, total, failed } }: { answer: RosterImportAnswer }) {
  const columns = words.ROSTER_FIELDS.filter((field) => preview.some(({ cells }) => (cells[field] ?? '') !== ''));
  if (columns.length === 0) return null;
  const results = new Map(rows.map(({ row, result }) => [row, words.RESULT_WORDS[result] ?? '']));
  const shown = preview.map(({ row, cells }) => ({ row, cells: { ...cells, result: results.get(row) ?? '' } }));
  const valid = total - failed;
  return (
    <>
      <PreviewTable
        preview={shown}
        columns={[
          ['result', words.RESULT_HEADING],
          ...columns.map((field) => [field, words.FIELD_WORDS[field]] as const),
        ]}
      />
      {valid > preview.length && (
        <p className="text-xs text-quiet">
          The first {preview.length} of {counted(valid, 'row', 'rows')}.
        </p>
      )}
    </>
  );
}
