/** The result of checking a file: the question before it is imported, or its errors (specification A§4, 8; rule 37). */
import {
  ERRORS_SENTENCE,
  ERRORS_SHOWN,
  ERRORS_TITLE,
  rowMessage,
  type BulkAnswer,
} from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { invitationWords, THINGS } from '#src/features/bulk-imports/import-answers.rules.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { csvAddress, writeCsv } from '#src/shared/csv.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Notice } from '#src/ui/notice.tsx';

type FoundProps = { answer: BulkAnswer; isStarting: boolean; onStart: () => void; onClose: () => void };

export function FoundDialog(props: FoundProps) {
  return props.answer.failed > 0 ? <ErrorsDialog {...props} /> : <StartDialog {...props} />;
}

function StartDialog({ answer, isStarting, onStart, onClose }: FoundProps) {
  const { kind, created, skipped } = answer;
  return (
    <Dialog
      open
      title={created > 0 ? `Create ${counted(created, ...THINGS[kind])}?` : 'Nothing new in this file'}
      onClose={onClose}
      footer={
        created > 0 ? (
          <>
            <Button variant="secondary" onClick={onClose} disabled={isStarting}>
              Cancel
            </Button>
            <Button onClick={onStart} busy={isStarting && 'Saving...'} data-autofocus="">
              Save
            </Button>
          </>
        ) : (
          <Button onClick={onClose} data-autofocus="">
            Close
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-quiet">
          {answer.file_name}
          {skipped > 0 && ` · ${skippedWords(answer)}`}
        </p>
        <Invitations answer={answer} />
        <Notices answer={answer} />
        <Preview answer={answer} />
      </div>
    </Dialog>
  );
}

function skippedWords({ created, skipped }: BulkAnswer): string {
  const rows = counted(skipped, 'row was', 'rows were');
  const effect = skipped === 1 ? 'It changes nothing.' : 'They change nothing.';
  return `${rows} imported before${created > 0 ? ' and will be skipped' : ''}. ${effect}`;
}

function Notices({ answer }: { answer: BulkAnswer }) {
  if (answer.notices.length === 0) return null;
  return (
    <Notice>
      {answer.notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </Notice>
  );
}

/** The number of emails that the button below will send. */
function Invitations({ answer }: { answer: BulkAnswer }) {
  const words = invitationWords(answer.invitations);
  return words === null ? null : <p className="text-sm font-semibold">{words}</p>;
}

/** The first valid rows, as the server understood them. */
function Preview({ answer: { preview, total, failed } }: { answer: BulkAnswer }) {
  const valid = total - failed;
  const columns = Object.keys(preview[0]?.cells ?? {}).filter((name) =>
    preview.some(({ cells }) => cells[name] !== ''),
  );
  if (columns.length === 0) return null;
  return (
    <>
      <PreviewTable preview={preview} columns={columns.map((name) => [name, name])} />
      <p className="text-xs text-quiet">
        {valid > preview.length && `The first ${preview.length} of ${counted(valid, 'valid row', 'valid rows')}. `}
        Passwords are not shown.
      </p>
    </>
  );
}

type PreviewTableProps = {
  preview: BulkAnswer['preview'];
  /** Names of cells, and their headers. */
  columns: readonly (readonly [string, string])[];
};

export function PreviewTable({ preview, columns }: PreviewTableProps) {
  return (
    <div
      role="region"
      aria-label="First rows of the file"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
      tabIndex={0}
      className="overflow-x-auto rounded border border-line bg-surface"
    >
      <table className="w-full border-collapse text-left text-xs">
        <thead className="bg-sunken text-quiet">
          <tr>
            {[['row', 'Row'] as const, ...columns].map(([name, heading]) => (
              <th key={name} scope="col" className="px-2.5 py-2 font-semibold whitespace-nowrap">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map(({ row, cells }) => (
            <tr key={row} className="border-t border-line">
              <th scope="row" className="px-2.5 py-2 font-normal text-quiet tabular-nums">
                {row}
              </th>
              {columns.map(([name]) => (
                <td key={name} className="max-w-48 truncate px-2.5 py-2" title={cells[name]}>
                  {cells[name]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ErrorsDialog({ answer, isStarting, onStart, onClose }: FoundProps) {
  const messages = answer.rows.flatMap(({ row, errors }) => errors.map((error) => ({ row, error })));
  const shown = messages.slice(0, ERRORS_SHOWN);
  const valid = answer.total - answer.failed;
  const lines = messages.map(({ row, error }) => [row, error]);
  const file = writeCsv(['row', 'message'], lines);
  return (
    <Dialog
      open
      title={ERRORS_TITLE}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} disabled={isStarting} data-autofocus="">
            Close
          </Button>
          <Button onClick={onStart} disabled={answer.created === 0} busy={isStarting && 'Saving...'}>
            Proceed with Valid Rows
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="font-semibold">{ERRORS_SENTENCE}</p>
        <p className="text-sm text-quiet">
          {counted(answer.failed, 'row', 'rows')} of {formatCount(answer.total)} cannot be imported.{' '}
          {valid === 0 ? 'None is valid.' : `${counted(valid, 'row is', 'rows are')} valid.`}
          {answer.skipped > 0 && ` ${skippedWords(answer)}`}
        </p>
        <ul
          aria-label="Errors"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
          tabIndex={0}
          className="max-h-72 list-none overflow-y-auto rounded border border-line bg-sunken px-3 py-2 text-sm tabular-nums"
        >
          {shown.map(({ row, error }, index) => (
            <li key={`${row}-${index}`} className="py-0.5">
              {rowMessage(row, error)}
            </li>
          ))}
        </ul>
        {messages.length > shown.length && (
          <p className="text-sm text-quiet">
            The first {shown.length} of {formatCount(messages.length)} errors.{' '}
            <a href={csvAddress(file)} download="csv-errors.csv" className="text-ink underline underline-offset-4">
              Download all
            </a>
          </p>
        )}
        <Invitations answer={answer} />
        <Preview answer={answer} />
        <Notices answer={answer} />
      </div>
    </Dialog>
  );
}
