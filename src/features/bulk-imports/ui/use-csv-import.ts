/** The states of an uploader (specification A§4): idle, uploading, confirm or errors, then the import until it is over. */
import { useEffect, useEffectEvent, useState } from 'react';
import {
  ALL_CREATED,
  ALREADY_IMPORTING,
  SOME_FAILED,
  UPLOADED,
  UPLOADING,
  type BulkAnswer,
  type ImportKind,
} from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { chosenFile, sayNotStarted, sendFile, type Sent } from '#src/features/bulk-imports/csv-upload.client.ts';
import { closeToast, showToast } from '#src/ui/toast.ts';
import { callApi } from '#src/web/api-client.ts';

export type Stage =
  | { at: 'idle'; problems: readonly string[] }
  | { at: 'uploading'; name: string }
  /** The file was read: `failed` rows are in the answer. */
  | { at: 'checked'; file: File; answer: BulkAnswer; isStarting: boolean }
  | { at: 'running'; answer: BulkAnswer; note: string | null }
  | { at: 'over'; answer: BulkAnswer };

const LOOK_EVERY_MS = 1_000;
export const NOTHING_NEW = 'Everything in this file was imported before.';

type Options = {
  kind: ImportKind;
  /** An import that was under way when the page was opened. */
  running: BulkAnswer | null;
  onChanged: () => void;
};

export function useCsvImport({ kind, running, onChanged }: Options) {
  const [stage, setStage] = useState<Stage>(
    running === null ? { at: 'idle', problems: [] } : { at: 'running', answer: running, note: null },
  );

  function refuse({ messages, importId }: Extract<Sent, { ok: false }>): void {
    if (importId === null) return setStage({ at: 'idle', problems: messages });
    // The other tab's import is this one, too.
    void callApi<BulkAnswer>('GET', `/api/v1/bulk/${importId}?limit=0`).then((found) =>
      setStage(
        found.ok
          ? { at: 'running', answer: found.data, note: ALREADY_IMPORTING }
          : { at: 'idle', problems: [ALREADY_IMPORTING] },
      ),
    );
  }

  /** Has the server look at what was chosen. */
  async function choose(files: readonly File[]): Promise<void> {
    const chosen = chosenFile(files);
    if ('problem' in chosen) return setStage({ at: 'idle', problems: [chosen.problem] });
    const { file } = chosen;
    setStage({ at: 'uploading', name: file.name });
    const toast = showToast(UPLOADING);
    const sent = await sendFile(kind, file, '?dry_run=true');
    closeToast(toast);
    if (!sent.ok) return refuse(sent);
    setStage({ at: 'checked', file, answer: sent.answer, isStarting: false });
  }

  /** Imports the valid rows of the file that was looked at. */
  async function start(): Promise<void> {
    if (stage.at !== 'checked' || stage.isStarting) return;
    setStage({ ...stage, isStarting: true });
    const sent = await sendFile(kind, stage.file, '?wait=0');
    if (!sent.ok) return refuse({ ...sent, messages: sayNotStarted(kind, sent.messages) });
    showToast(UPLOADED, 'success');
    setStage({ at: 'running', answer: sent.answer, note: null });
    onChanged();
  }

  function close(): void {
    if (stage.at === 'checked' && stage.isStarting) return;
    setStage({ at: 'idle', problems: [] });
  }

  const look = useEffectEvent(async (importId: number, signal: AbortSignal) => {
    const found = await callApi<BulkAnswer>('GET', `/api/v1/bulk/${importId}?limit=0`, { signal });
    // A server that is away for a moment says nothing about the import.
    if (!found.ok) return;
    const answer = found.data;
    if (answer.status === 'running')
      return setStage((before) => (before.at === 'running' ? { ...before, answer } : before));
    setStage({ at: 'over', answer });
    announce(kind, answer);
    onChanged();
  });
  const runningId = stage.at === 'running' ? stage.answer.import_id : null;
  useEffect(() => {
    if (runningId === null) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const again = () => {
      look(runningId, leaving.signal).then(
        () => {
          if (!leaving.signal.aborted) timer = setTimeout(again, LOOK_EVERY_MS);
        },
        () => undefined,
      );
    };
    again();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [runningId]);

  return { stage, choose, start, close };
}

function announce(kind: ImportKind, { created, failed }: BulkAnswer): void {
  if (failed > 0) showToast(SOME_FAILED[kind], 'error');
  else if (created > 0) showToast(ALL_CREATED[kind], 'success');
  else showToast(NOTHING_NEW);
}
