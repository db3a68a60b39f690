import { useState } from 'react';
import { CsvZone } from '#src/features/bulk-imports/ui/csv-import-page.tsx';
import { writeColumns } from '#src/features/roster-imports/columns.rules.ts';
import * as words from '#src/features/roster-imports/roster-imports.contract.ts';
import type { RosterField, RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import { FoundStep } from '#src/features/roster-imports/ui/found-step.tsx';
import { useRosterImport, type Choices } from '#src/features/roster-imports/ui/use-roster-import.ts';
import type { SeasonAnswer } from '#src/features/roster/roster.contract.ts';
import { useFirstQuestions } from '#src/features/roster-desk/first-questions.client.ts';
import { SampleLink } from '#src/features/roster-desk/ui/first-roster.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { StepHeading } from '#src/ui/step-heading.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';

type RosterImportScreenProps = {
  id: number;
  name: string;
  path: string;
  seasons: SeasonAnswer[];
  running: RosterImportAnswer | null;
  /** Whether someone has decided who finds a child, and what `unknown` means. */
  isAnswered: boolean;
};

/** From the file to the end of its import. */
export function RosterImportScreen({ id, name, path, seasons, running, isAnswered }: RosterImportScreenProps) {
  const questions = useFirstQuestions(id, isAnswered);
  const { stage, choose, check, start, close } = useRosterImport(id, running, questions.save);
  const roster = `/${path}/roster`;
  return (
    <Main className="pb-12">
      <PageHeader title={words.IMPORT_TITLE} subtitle={name} back={<BackLink to={roster}>Roster</BackLink>} />
      <div className="flex max-w-4xl min-w-0 flex-col gap-4">
        {(stage.at === 'idle' || stage.at === 'reading') && (
          <>
            <ErrorList messages={stage.at === 'idle' ? stage.problems : []} heading="This file was not imported:" />
            <CsvZone busy={stage.at === 'reading' ? words.UPLOADING : null} onChosen={(files) => void choose(files)} />
            <p className="max-w-[66ch] text-sm text-quiet">
              Any spreadsheet with a column of names works; you choose which column is which. Put several addresses of a
              family in one cell, separated by semicolons. The file is not kept.
            </p>
            <div>
              <SampleLink />
            </div>
          </>
        )}
        {stage.at === 'columns' && (
          <ColumnsStep
            answer={stage.answer}
            problems={stage.problems}
            seasons={seasons}
            isBusy={stage.isBusy}
            onNext={(choices) => void check(choices)}
            onCancel={close}
          />
        )}
        {stage.at === 'found' && (
          <FoundStep
            answer={stage.answer}
            choices={stage.choices}
            questions={questions}
            isBusy={stage.isBusy}
            onChange={(choices) => void check(choices)}
            onStart={() => void start()}
            onCancel={close}
          />
        )}
        {stage.at === 'running' && <Running answer={stage.answer} />}
        {stage.at === 'over' && <Ended answer={stage.answer} roster={roster} onAgain={close} />}
      </div>
    </Main>
  );
}

type ColumnsStepProps = {
  answer: RosterImportAnswer;
  problems: readonly string[];
  seasons: readonly SeasonAnswer[];
  isBusy: boolean;
  onNext: (choices: Choices) => void;
  onCancel: () => void;
};

function ColumnsStep({ answer, problems, seasons, isBusy, onNext, onCancel }: ColumnsStepProps) {
  const [fields, setFields] = useState(answer.columns.map(({ field }) => field));
  const [team, setTeam] = useState('');
  const current = seasons.find((season) => season.current)?.id ?? null;
  const [seasonId, setSeasonId] = useState(current);
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        onNext({ columns: writeColumns(fields), team, seasonId, moves: null });
      }}
      className="flex flex-col gap-4"
    >
      <StepHeading>{words.COLUMNS_TITLE}</StepHeading>
      <ErrorList messages={[...problems]} heading="Before you continue:" />
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {answer.columns.map(({ heading, samples }, at) => (
          <li key={`${heading} ${at}`} className="grid gap-2 p-3 sm:grid-cols-[1fr_15rem] sm:items-center">
            <div className="min-w-0">
              <p className="font-semibold break-words">{heading === '' ? `Column ${at + 1}` : heading}</p>
              <p className="truncate text-sm text-quiet">{samples.join(' · ') || 'empty'}</p>
            </div>
            <Select
              label={`${heading === '' ? `Column ${at + 1}` : heading} is`}
              value={fields[at] ?? ''}
              onChange={(event) => {
                const field = event.target.value === '' ? null : (event.target.value as RosterField);
                setFields((before) =>
                  before.map((each, place) =>
                    place === at ? field : each === field && field !== 'family_email' ? null : each,
                  ),
                );
              }}
            >
              <option value="">Not used</option>
              {words.ROSTER_FIELDS.map((field) => (
                <option key={field} value={field}>
                  {words.FIELD_WORDS[field]}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
      <div className="grid gap-4 sm:grid-cols-2">
        {seasons.length > 0 && (
          <Select label="Season" value={seasonId ?? ''} onChange={(event) => setSeasonId(Number(event.target.value))}>
            {seasons.map((season) => (
              <option key={season.id} value={season.id}>
                {season.name}
              </option>
            ))}
          </Select>
        )}
        {!fields.includes('team') && (
          <TextField
            label="Team of everyone in this file"
            value={team}
            onChange={(event) => setTeam(event.target.value)}
            maxLength={60}
          />
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy && 'Reading...'}>
          Next
        </Button>
      </div>
    </form>
  );
}

function Running({ answer }: { answer: RosterImportAnswer }) {
  const done = answer.total - answer.waiting;
  return (
    <Card className="flex flex-col gap-4 p-6">
      <h2 className="text-lg">Importing the roster</h2>
      <p className="text-sm text-quiet">
        You can leave this page. The import continues, and you’ll see it here when you come back.
      </p>
      <ProgressBar label="Rows imported" percent={Math.floor((done / answer.total) * 100)} />
      <p role="status" className="text-sm tabular-nums">
        {formatCount(done)} of {formatCount(answer.total)} rows
      </p>
    </Card>
  );
}

function Ended({ answer, roster, onAgain }: { answer: RosterImportAnswer; roster: string; onAgain: () => void }) {
  const { created, updated, skipped, failed } = answer;
  const facts = [
    `${formatCount(created)} new`,
    ...(updated > 0 ? [`${formatCount(updated)} changed`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} as before`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ];
  return (
    <Card className="flex flex-col gap-4 p-6">
      <StepHeading>{failed > 0 ? words.SOME_FAILED : words.ALL_DONE}</StepHeading>
      <p role="status" className="text-sm tabular-nums">
        {facts.join(' · ')}
      </p>
      {created > 0 && <p className="text-sm text-quiet">{words.WHAT_NEXT}</p>}
      {failed > 0 && (
        <p className="text-sm text-quiet">
          Fix the failed rows in their file and upload it again. No one is added twice. We keep their contents for{' '}
          {words.CELLS_KEPT_DAYS} days.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <LinkButton to={roster}>Open the roster</LinkButton>
        <Button variant="secondary" onClick={onAgain}>
          Upload another file
        </Button>
        {failed > 0 && (
          <a
            href={`/api/v1/bulk/roster/${answer.import_id}.csv?result=failed`}
            download
            className={buttonStyle({ variant: 'secondary' })}
          >
            Failed rows
          </a>
        )}
      </div>
    </Card>
  );
}
