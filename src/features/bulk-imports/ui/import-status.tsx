/** The status of an import: while it runs, and when it is over. */
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { counted, THINGS } from '#src/features/bulk-imports/import-words.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { CircleCheck, Download, TriangleAlert } from '#src/ui/icon.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';

export function RunningImport({ answer, note }: { answer: BulkAnswer; note: string | null }) {
  const done = answer.total - answer.waiting;
  return (
    <Card className="flex flex-col gap-4 p-6">
      <div>
        <h2 className="text-lg break-words">Importing {answer.file_name}</h2>
        {note !== null && <p className="mt-1 text-sm font-semibold text-warning">{note}</p>}
        <p className="mt-1 text-sm text-quiet">
          You can leave this page. The import continues, and you’ll see it here when you come back.
        </p>
      </div>
      <ProgressBar label="Rows imported" percent={Math.floor((done / answer.total) * 100)} />
      <p role="status" className="text-sm tabular-nums">
        {done.toLocaleString('en-US')} of {counted(answer.total, ['row', 'rows'])}
      </p>
    </Card>
  );
}

export function EndedImport({ answer, onAgain }: { answer: BulkAnswer; onAgain: () => void }) {
  const { kind, created, skipped, failed } = answer;
  const said = [
    `${counted(created, THINGS[kind])} created`,
    ...(skipped > 0 ? [`${counted(skipped, ['row', 'rows'])} skipped, imported before`] : []),
    ...(failed > 0 ? [`${counted(failed, ['row', 'rows'])} failed`] : []),
  ];
  return (
    <Card className="flex flex-col gap-4 p-6">
      <div className="flex gap-3">
        {failed > 0 ? (
          <TriangleAlert aria-hidden="true" className="mt-1 size-6 shrink-0 text-warning" />
        ) : (
          <CircleCheck aria-hidden="true" className="mt-1 size-6 shrink-0 text-success" />
        )}
        <div className="min-w-0">
          <h2 className="text-lg break-words">{answer.file_name}</h2>
          <p className="mt-1 text-sm tabular-nums">{said.join(' · ')}</p>
          {failed > 0 && (
            <p className="mt-1 text-sm text-quiet">
              Fix the failed rows in their file and upload it again. Nothing is created twice.
            </p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onAgain}>Upload another file</Button>
        <ResultLinks answer={answer} />
      </div>
    </Card>
  );
}

/** The file with the outcome of each row, and the one with the failed rows only. */
export function ResultLinks({ answer, size = 'normal' }: { answer: BulkAnswer; size?: 'normal' | 'small' }) {
  const file = `/api/v1/bulk/${answer.import_id}.csv`;
  const look = buttonStyle({ variant: 'secondary', size });
  return (
    <>
      <a href={file} download className={look} aria-label={`Result file of ${answer.file_name}`}>
        <Download aria-hidden="true" />
        Result file
      </a>
      {answer.failed > 0 && (
        <a href={`${file}?result=failed`} download className={look} aria-label={`Failed rows of ${answer.file_name}`}>
          <Download aria-hidden="true" />
          Failed rows
        </a>
      )}
    </>
  );
}
