import { useEffect, useEffectEvent, useId, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { UPLOADING, type BulkAnswer, type ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { COLUMNS, type DemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { THINGS } from '#src/features/bulk-imports/import-answers.rules.ts';
import { OtherWays } from '#src/features/bulk-imports/ui/bulk-page.tsx';
import { FoundDialog } from '#src/features/bulk-imports/ui/csv-dialogs.tsx';
import { useCsvImport } from '#src/features/bulk-imports/ui/use-csv-import.ts';
import { counted, formatCount } from '#src/shared/counted.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { CircleCheck, Download, TriangleAlert, Upload } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';
import { StepHeading } from '#src/ui/step-heading.tsx';

const WORDS = {
  users: {
    title: 'Create Accounts from CSV',
    subtitle: 'Each row creates an account on the free tier, with its own user and organization.',
  },
  galleries: {
    title: 'Create Galleries from CSV',
    subtitle: 'Each row creates a gallery for the organization it names, ready for photos.',
  },
} as const satisfies Record<ImportKind, object>;

type CsvImportPageProps = {
  kind: ImportKind;
  recent: readonly BulkAnswer[];
  timeZone: string;
  /** The page with the forms. */
  forms: string;
  demo: DemoFile;
  /** Why nothing can be uploaded yet; null if it can. */
  waitsFor?: string | null;
  /** Instead of the uploader, if it is not available. */
  failure?: ReactNode;
};

/** Uploads a file and follows its import to the end; below, the newest imports of its kind. */
export function CsvImportPage({ kind, recent, timeZone, forms, demo, waitsFor = null, failure }: CsvImportPageProps) {
  const { revalidate } = useRevalidator();
  return (
    <Main className="pb-12">
      <PageHeader {...WORDS[kind]} action={<OtherWays label="Use forms instead" to={forms} demo={demo} />} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <div className="min-w-0">
          {failure ?? (
            <CsvImportPanel kind={kind} recent={recent} waitsFor={waitsFor} onChanged={() => void revalidate()} />
          )}
          <RecentImports imports={recent} timeZone={timeZone} />
        </div>
        <ColumnList kind={kind} />
      </div>
    </Main>
  );
}

type CsvImportPanelProps = Pick<CsvImportPageProps, 'kind' | 'recent' | 'waitsFor'> & { onChanged: () => void };

export function CsvImportPanel({ kind, recent, waitsFor = null, onChanged }: CsvImportPanelProps) {
  const running = recent.find(({ status }) => status === 'running') ?? null;
  const { stage, choose, start, close } = useCsvImport({ kind, running, onChanged });
  if (stage.at === 'running') return <RunningImport answer={stage.answer} note={stage.note} />;
  if (stage.at === 'over') return <EndedImport answer={stage.answer} onAgain={close} />;
  return (
    <div className="flex flex-col gap-4">
      <ErrorList messages={stage.at === 'idle' ? stage.problems : []} heading="This file was not imported:" />
      <CsvZone busy={stage.at === 'uploading' ? UPLOADING : waitsFor} onChosen={(files) => void choose(files)} />
      {stage.at === 'checked' && (
        <FoundDialog answer={stage.answer} isStarting={stage.isStarting} onStart={() => void start()} onClose={close} />
      )}
    </div>
  );
}

type CsvZoneProps = {
  onChosen: (files: File[]) => void;
  /** Why it accepts nothing now ("Uploading your CSV..."); null if it does. */
  busy: string | null;
};

export function CsvZone({ onChosen, busy }: CsvZoneProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const hint = useId();
  const takes = busy === null;
  function take(input: HTMLInputElement): void {
    const files = [...(input.files ?? [])];
    // The same file can be chosen again.
    input.value = '';
    if (files.length > 0) onChosen(files);
  }
  const takeWaiting = useEffectEvent(() => {
    if (picker.current) take(picker.current);
  });
  // A file that was chosen before the page's script was ready waits in the field.
  useEffect(() => {
    if (takes) takeWaiting();
  }, [takes]);
  const over = (event: DragEvent, value: boolean) => {
    event.preventDefault();
    setIsOver(value && takes);
  };
  return (
    <div
      onDragEnter={(event) => over(event, true)}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, event.currentTarget.contains(event.relatedTarget as Node | null))}
      onDrop={(event) => {
        over(event, false);
        if (takes) onChosen([...event.dataTransfer.files]);
      }}
      className={cx(
        'flex flex-col items-center justify-center gap-4 rounded-lg border-2 border-dashed px-5 py-12 text-center transition-colors',
        isOver ? 'border-accent-text bg-accent-tint' : 'border-line-strong bg-surface',
      )}
    >
      <Button onClick={() => picker.current?.click()} busy={busy ?? false} aria-describedby={hint}>
        <Upload aria-hidden="true" />
        Choose a CSV file
      </Button>
      <p id={hint} className="text-sm text-quiet">
        {isOver ? 'Drop it here.' : 'Or drag it onto this field. One .csv file, up to 20 MB and 10,000 rows.'}
      </p>
      <input
        ref={picker}
        type="file"
        accept=".csv,text/csv"
        hidden
        disabled={!takes}
        aria-label="CSV file"
        onChange={(event) => take(event.target)}
      />
    </div>
  );
}

function RunningImport({ answer, note }: { answer: BulkAnswer; note: string | null }) {
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
        {formatCount(done)} of {counted(answer.total, 'row', 'rows')}
      </p>
    </Card>
  );
}

function EndedImport({ answer, onAgain }: { answer: BulkAnswer; onAgain: () => void }) {
  const { kind, created, skipped, failed } = answer;
  const facts = [
    `${counted(created, ...THINGS[kind])} created`,
    ...(skipped > 0 ? [`${counted(skipped, 'row', 'rows')} skipped, imported before`] : []),
    ...(failed > 0 ? [`${counted(failed, 'row', 'rows')} failed`] : []),
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
          <StepHeading>{answer.file_name}</StepHeading>
          <p className="mt-1 text-sm tabular-nums">{facts.join(' · ')}</p>
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

/** The file with the result of each row, and the one with the failed rows only. */
function ResultLinks({ answer, size = 'normal' }: { answer: BulkAnswer; size?: 'normal' | 'small' }) {
  const file = `/api/v1/bulk/${answer.import_id}.csv`;
  const style = buttonStyle({ variant: 'secondary', size });
  return (
    <>
      <a href={file} download className={style} aria-label={`Result file of ${answer.file_name}`}>
        <Download aria-hidden="true" />
        Result file
      </a>
      {answer.failed > 0 && (
        <a href={`${file}?result=failed`} download className={style} aria-label={`Failed rows of ${answer.file_name}`}>
          <Download aria-hidden="true" />
          Failed rows
        </a>
      )}
    </>
  );
}

const TONES = { created: 'success', skipped: 'neutral', failed: 'danger', waiting: 'accent' } as const;
const RESULTS = ['created', 'skipped', 'failed', 'waiting'] as const;

/** How the rows of an import ended; none while it runs. */
const endsOf = (each: BulkAnswer) => (each.status === 'running' ? [] : RESULTS.filter((result) => each[result] > 0));

function RecentImports({ imports, timeZone }: { imports: readonly BulkAnswer[]; timeZone: string }) {
  return (
    <section aria-labelledby="recent-imports" className="mt-10">
      <h2 id="recent-imports" className="text-lg">
        Recent imports
      </h2>
      {imports.length === 0 ? (
        <p className="mt-2 text-sm text-quiet">None yet. Start with the demo file; it has every column.</p>
      ) : (
        <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
          {imports.map((each) => (
            <li key={each.import_id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-64">
                <p className="font-semibold break-words">{each.file_name}</p>
                <p className="text-xs text-quiet tabular-nums">
                  {publicMoment(new Date(each.started_at ?? ''), timeZone)} · {each.started_by}
                </p>
              </div>
              <p className="flex flex-wrap gap-2 tabular-nums">
                {/* Its progress is above, and newer than this list. */}
                {each.status === 'running' && <Badge tone="accent">importing</Badge>}
                {endsOf(each).map((result) => (
                  <Badge key={result} tone={TONES[result]}>
                    {formatCount(each[result])} {result}
                  </Badge>
                ))}
              </p>
              <div className="flex flex-wrap gap-2">
                <ResultLinks answer={each} size="small" />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const HINTS: Record<ImportKind, readonly string[]> = {
  users: [
    'orgname is the name of an existing parent organization.',
    'Without a password, people get an invitation by email and choose their own. With one, they must change it at their first login.',
  ],
  galleries: [
    'orgname and domain_name must both belong to one organization.',
    'hideGallery, watermark, passwordRequired, allowContributions and allowVoting take yes or no.',
    'Organizations on the free tier have one active gallery.',
  ],
};

function ColumnList({ kind }: { kind: ImportKind }) {
  const required = new Set<string>(COLUMNS[kind].required);
  return (
    <aside aria-labelledby="columns" className="rounded-lg border border-line bg-surface p-5 text-sm">
      <h2 id="columns" className="text-base">
        Columns of the file
      </h2>
      <ul className="mt-3 flex flex-wrap gap-1.5">
        {COLUMNS[kind].all.map((name) => (
          <li key={name} className="rounded-sm bg-sunken px-2 py-0.5 font-mono text-xs">
            {name}
            {required.has(name) && (
              <span className="text-danger">
                <span aria-hidden="true"> *</span>
                <span className="sr-only"> (required)</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      <ul className="mt-3 flex list-disc flex-col gap-1.5 pl-5 text-quiet">
        <li>
          The first row names the columns, in any order; columns with <span className="text-danger">*</span> are
          required.
        </li>
        {HINTS[kind].map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </aside>
  );
}
