/** Sends a file to be read by the server. What the browser can tell on its own (kind, size, whether it opens) it tells at once. */
import {
  CSV_ONLY,
  FILE_NOT_READ,
  FILE_TOO_LARGE,
  MAX_CSV_BYTES,
  NO_FILE,
  NOT_STARTED,
  type BulkAnswer,
  type ImportKind,
} from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { NO_CONNECTION, UNREADABLE_ANSWER } from '#src/web/api-client.ts';

export const ONE_FILE = 'Please upload one CSV file at a time.';

export type Sent =
  | { ok: true; answer: BulkAnswer }
  /** `importId`: the same file is being imported already. */
  | { ok: false; messages: string[]; importId: number | null };

/** The one file that was chosen or dropped, or why it cannot be taken. */
export function chosenFile(files: readonly File[]): { file: File } | { problem: string } {
  const [file] = files;
  if (!file) return { problem: NO_FILE };
  if (files.length > 1) return { problem: ONE_FILE };
  if (!/\.csv$/i.test(file.name)) return { problem: CSV_ONLY };
  return file.size > MAX_CSV_BYTES ? { problem: FILE_TOO_LARGE } : { file };
}

/** False for folders, and for files that were moved away or may not be read. */
async function opens(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** `query`: `?dry_run=true`, or how long to wait for the end. */
export async function sendFile(kind: ImportKind, file: File, query: string): Promise<Sent> {
  const refused = (...messages: string[]): Sent => ({ ok: false, messages, importId: null });
  if (!(await opens(file))) return refused(FILE_NOT_READ);
  const body = new FormData();
  body.append('file', file, file.name);
  try {
    const response = await fetch(`/api/v1/bulk/${kind}${query}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
      body,
    });
    return readAnswer(response.ok, await response.json());
  } catch (error) {
    return refused(error instanceof SyntaxError ? UNREADABLE_ANSWER : NO_CONNECTION);
  }
}

/** What is said where rows that were checked could not be saved: the specification's words, then why (A§8). */
export function sayNotStarted(kind: ImportKind, messages: readonly string[]): string[] {
  return [NOT_STARTED[kind], ...messages];
}

function readAnswer(isOk: boolean, body: unknown): Sent {
  if (isOk) return { ok: true, answer: body as BulkAnswer };
  const { error, errors, import_id } = body as { error?: string; errors?: { file?: string[] }; import_id?: number };
  return { ok: false, messages: errors?.file ?? [error ?? UNREADABLE_ANSWER], importId: import_id ?? null };
}
