/** The states of a roster import: a file, its columns, what was found, then the import until it ends. */
import { useState } from 'react';
import { ERRORS_SHOWN } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { chosenFile, sendFile } from '#src/features/bulk-imports/ui/use-csv-import.ts';
import type { Moves, RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';

export type Choices = { columns: string; team: string; seasonId: number | null; moves: Moves | null };
type Stage =
  | { at: 'idle'; problems: readonly string[] }
  | { at: 'reading' }
  | { at: 'columns'; file: File; answer: RosterImportAnswer; problems: readonly string[]; isBusy: boolean }
  | { at: 'found'; file: File; answer: RosterImportAnswer; choices: Choices; isBusy: boolean }
  | { at: 'running'; answer: RosterImportAnswer }
  | { at: 'over'; answer: RosterImportAnswer };

const POLL_EVERY_MS = 700;
/** Not more than is shown. */
const CHECK = { dry_run: 'true', limit: String(ERRORS_SHOWN) };

/** @param before what is saved before the import starts; returns problems */
export function useRosterImport(
  organizationId: number,
  running: RosterImportAnswer | null,
  before: () => Promise<string[]>,
) {
  const [stage, setStage] = useState<Stage>(
    running ? { at: 'running', answer: running } : { at: 'idle', problems: [] },
  );
  const refuse = (problems: readonly string[]) => setStage({ at: 'idle', problems });

  async function choose(files: readonly File[]): Promise<void> {
    const chosen = chosenFile(files);
    if ('problem' in chosen) return refuse([chosen.problem]);
    setStage({ at: 'reading' });
    const sent = await send(organizationId, chosen.file, CHECK);
    if (!sent.ok) return refuse(sent.messages);
    setStage({ at: 'columns', file: chosen.file, answer: sent.answer, problems: [], isBusy: false });
  }

  /** Checks the file again, with the columns and answers that the user has chosen. */
  async function check(choices: Choices): Promise<void> {
    if (stage.at !== 'columns' && stage.at !== 'found') return;
    const { file } = stage;
    setStage({ ...stage, isBusy: true });
    const sent = await send(organizationId, file, { ...CHECK, ...queryOf(choices) });
    if (!sent.ok) return refuse(sent.messages);
    const { answer } = sent;
    if (answer.asks.length > 0) return setStage({ at: 'columns', file, answer, problems: answer.asks, isBusy: false });
    setStage({ at: 'found', file, answer, choices, isBusy: false });
  }

  async function start(): Promise<void> {
    if (stage.at !== 'found' || stage.isBusy) return;
    setStage({ ...stage, isBusy: true });
    const problems = await before();
    if (problems.length > 0) return refuse(problems);
    const sent = await send(organizationId, stage.file, { wait: '0', ...queryOf(stage.choices) });
    if (sent.ok) return setStage({ at: 'running', answer: sent.answer });
    // An import that another tab started is shown here, too.
    const other = sent.importId === null ? null : await read(sent.importId);
    if (other) return setStage({ at: 'running', answer: other });
    refuse(sent.messages);
  }

  const poll = async (importId: number, signal: AbortSignal) => {
    const answer = await read(importId, signal);
    // A server that does not answer for a moment says nothing about the import.
    if (answer) setStage({ at: answer.status === 'running' ? 'running' : 'over', answer });
  };
  const runningId = stage.at === 'running' ? stage.answer.import_id : null;
  useRepeated(POLL_EVERY_MS, runningId === null ? null : (signal) => poll(runningId, signal));

  return { stage, choose, check, start, close: () => refuse([]) };
}

function queryOf({ columns, team, seasonId, moves }: Choices): Record<string, string> {
  return {
    columns,
    ...(team.trim() === '' ? {} : { team: team.trim() }),
    ...(seasonId === null ? {} : { season_id: String(seasonId) }),
    ...(moves === null ? {} : { moves }),
  };
}

async function read(importId: number, signal?: AbortSignal): Promise<RosterImportAnswer | null> {
  const answer = await api('GET /api/v1/bulk/roster/{importId}', {
    params: { importId },
    query: { limit: 0 },
    ...(signal ? { signal } : {}),
  });
  return answer.ok ? answer.data : null;
}

function send(organizationId: number, file: File, query: Record<string, string>) {
  const search = new URLSearchParams({ affiliate_id: String(organizationId), ...query });
  return sendFile<RosterImportAnswer>(`roster?${search}`, file);
}
