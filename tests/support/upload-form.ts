/** Posts upload forms as a browser or an API client would, valid or invalid. */
import { randomBytes } from 'node:crypto';
import type { UploadPolicy } from '#src/platform/storage/storage.ts';

export type FormEntry = [name: string, value: string | Blob];
export type StoreAnswer = { status: number; xml: string; headers: Headers; element(name: string): string | null };

/** A key that no one has used. */
export function newUploadKey(): string {
  return `uploads/12/345/${randomBytes(12).toString('hex')}.jpg`;
}

export function jpegBlob(bytes: Uint8Array | number): Blob {
  return new Blob([typeof bytes === 'number' ? new Uint8Array(bytes) : Uint8Array.from(bytes)], { type: 'image/jpeg' });
}

/** The entries of a valid form: the fields unchanged, `file` last. */
export function formEntries(policy: UploadPolicy, file: Blob): FormEntry[] {
  return [...Object.entries(policy.fields), ['file', file]];
}

export async function postForm(
  url: string,
  entries: readonly FormEntry[],
  headers: Record<string, string> = {},
): Promise<StoreAnswer> {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'photo.jpg');
  }
  const answer = await fetch(url, { method: 'POST', body: form, headers });
  return readAnswer(answer);
}

export async function readAnswer(answer: Response): Promise<StoreAnswer> {
  const xml = await answer.text();
  return {
    status: answer.status,
    xml,
    headers: answer.headers,
    element: (name) =>
      new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ??
      null,
  };
}
