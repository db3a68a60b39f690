/** The states of an uploader (specification A§4): idle, uploading, confirm or errors, then the import until it ends. */
import { useCallback, useEffect, useState } from 'react';
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { BulkAnswer, ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { closeToast, showToast } from '#src/ui/toast.ts';
import { api, NO_CONNECTION, UNREADABLE_ANSWER } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';

type Stage =
  | { at: 'idle'; problems: readonly string[] }
  | { at: 'uploading'; name: string }
  /** The file was read: `failed` rows are in the response. */
  | { at: 'checked'; file: File; answer: BulkAnswer; isStarting: boolean }
  | { at: 'running'; answer: BulkAnswer; note: string | null }
  | { at: 'over'; answer: BulkAnswer };

const POLL_EVERY_MS = 1_000;
const NOTHING_NEW = 'Everything in this file has already been imported.';

type Options = {
  kind: ImportKind;
  /** An import that was running when the page was opened. */
  running: BulkAnswer | null;
  onChanged: () => void;
};

export function useCsvImport({ kind, running, onChanged }: Options) {
  const [stage, setStage] = useState<Stage>(
    running === null ? { at: 'idle', problems: [] } : { at: 'running', answer: running, note: null },
  );

  function refuse({ messages, importId }: Extract<Sent<BulkAnswer>, { ok: false }>): void {
    if (importId === null) return setStage({ at: 'idle', problems: messages });
    // An import of another tab counts as well.
    void api('GET /api/v1/bulk/{importId}', { params: { importId }, query: { limit: '0' } }).then((found) =>
      setStage(
        found.ok
          ? { at: 'running', answer: found.data, note: words.ALREADY_IMPORTING }
          : { at: 'idle', problems: [words.ALREADY_IMPORTING] },
      ),
    );
  }

  /** Has the server check the selected file. */
  async function choose(files: readonly File[]): Promise<void> {
    const chosen = chosenFile(files);
    if ('problem' in chosen) return setStage({ at: 'idle', problems: [chosen.problem] });
    const { file } = chosen;
    setStage({ at: 'uploading', name: file.name });
    const toast = showToast(words.UPLOADING);
    const sent = await sendFile(`${kind}?dry_run=true`, file);
    closeToast(toast);
    if (!sent.ok) return refuse(sent);
    setStage({ at: 'checked', file, answer: sent.answer, isStarting: false });
  }

  /** Imports the valid rows of the checked file. */
  async function start(): Promise<void> {
    if (stage.at !== 'checked' || stage.isStarting) return;
    setStage({ ...stage, isStarting: true });
    const sent = await sendFile(`${kind}?wait=0`, stage.file);
    if (!sent.ok) return refuse({ ...sent, messages: notStartedMessages(kind, sent.messages) });
    showToast(words.UPLOADED, 'success');
    setStage({ at: 'running', answer: sent.answer, note: null });
    onChanged();
  }

  function close(): void {
    if (stage.at === 'checked' && stage.isStarting) return;
    setStage({ at: 'idle', problems: [] });
  }

  async function poll(importId: number, signal: AbortSignal): Promise<void> {
    const found = await api('GET /api/v1/bulk/{importId}', { params: { importId }, query: { limit: '0' }, signal });
    // A server that is briefly unreachable says nothing about the import.
    if (!found.ok) return;
    const answer = found.data;
    if (answer.status === 'running')
      return setStage((before) => (before.at === 'running' ? { ...before, answer } : before));
    setStage({ at: 'over', answer });
    announce(kind, answer);
    onChanged();
  }
  const runningId = stage.at === 'running' ? stage.answer.import_id : null;
  useRepeated(POLL_EVERY_MS, runningId === null ? null : (signal) => poll(runningId, signal), 0);

  return { stage, choose, start, close };
}

function announce(kind: ImportKind, { created, failed }: BulkAnswer): void {
  if (failed > 0) showToast(words.SOME_FAILED[kind], 'error');
  else if (created > 0) showToast(words.ALL_CREATED[kind], 'success');
  else showToast(NOTHING_NEW);
}

const ONE_FILE = 'Please upload one CSV file at a time.';

type Sent<Answer> =
  | { ok: true; answer: Answer }
  /** `importId`: the same file is being imported already. */
  | { ok: false; messages: string[]; importId: number | null };

/** The one file that was chosen or dropped, or why it is not accepted. */
export function chosenFile(files: readonly File[]): { file: File } | { problem: string } {
  const [file] = files;
  if (!file) return { problem: words.NO_FILE };
  if (files.length > 1) return { problem: ONE_FILE };
  if (!/\.csv$/i.test(file.name)) return { problem: words.CSV_ONLY };
  return file.size > words.MAX_CSV_BYTES ? { problem: words.FILE_TOO_LARGE } : { file };
}

/** Sends a file to `/api/v1/bulk/…`; `to` is the kind, with `?dry_run=true` or how long to wait for the end. */
export async function sendFile<Answer extends object = BulkAnswer>(to: string, file: File): Promise<Sent<Answer>> {
  const refused = (...messages: string[]): Sent<Answer> => ({ ok: false, messages, importId: null });
  try {
    // Fails for folders, and for files that were moved or are not readable.
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return refused(words.FILE_NOT_READ);
  }
  const body = new FormData();
  body.append('file', file, file.name);
  try {
    const response = await fetch(`/api/v1/bulk/${to}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
      body,
    });
    const answer = (await response.json()) as Answer & Partial<Refusal>;
    if (response.ok) return { ok: true, answer };
    const { error = UNREADABLE_ANSWER, errors = {}, import_id: importId = null } = answer;
    const messages = Object.values(errors).flat();
    return { ok: false, messages: messages.length > 0 ? messages : [error], importId };
  } catch (error) {
    return refused(error instanceof SyntaxError ? UNREADABLE_ANSWER : NO_CONNECTION);
  }
}

/** The message if checked rows could not be saved: the specification's words, then the reason (A§8). */
export function notStartedMessages(kind: ImportKind, messages: readonly string[]): string[] {
  return [words.NOT_STARTED[kind], ...messages];
}

type Refusal = { error: string; errors: Record<string, string[]>; import_id: number | null };

type Readiness = 'loading' | 'ready' | 'failed';

/** If it failed, `retry` loads them again. */
export function useOrganizationsReady(): { readiness: Readiness; retry: () => void } {
  const [readiness, setReadiness] = useState<Readiness>('loading');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    api('GET /api/v1/organizations', { query: { limit: '1' }, signal: leaving.signal }).then(
      (answer) => {
        if (leaving.signal.aborted) return;
        if (answer.ok) {
          timer = setTimeout(() => setReadiness('ready'), words.SETTLE_MS);
          return;
        }
        setReadiness('failed');
        showToast(words.ORGANIZATIONS_NOT_FETCHED, 'error');
      },
      () => undefined,
    );
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [attempt]);
  const retry = useCallback(() => {
    setReadiness('loading');
    setAttempt((before) => before + 1);
  }, []);
  return { readiness, retry };
}
