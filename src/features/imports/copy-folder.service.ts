/** An export that was unpacked into a folder. Each file is compared with its hash in the manifest before it is used. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { FORMAT, FORMAT_VERSION, MANIFEST, manifestSchema } from '#src/features/exports/exports.contract.ts';
import * as words from '#src/features/imports/imports.contract.ts';
import { MAX_UPLOAD_BYTES } from '#src/features/uploads/uploads.contract.ts';
import { problem } from '#src/shared/problem.ts';

export type CopyFolder = Awaited<ReturnType<typeof openCopy>>;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

function whyNoManifest(error: unknown): string {
  if (isMissing(error)) return words.NO_MANIFEST;
  return codeOf(error) === 'ENOTDIR' ? words.NO_FOLDER : words.NOT_READ;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

/** An object; null for any other text. */
function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** The escapes of characters that the database does not store: NUL and lone surrogates. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f]..)/;
const isStorable = (row: object) => !NOT_STORABLE.test(JSON.stringify(row));

/** Reads the manifest. @throws invalid if it is missing, is not an export's, or has a newer format */
export async function openCopy(folder: string) {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    throw problem('invalid', whyNoManifest(error), { cause: error });
  });
  const given = readObject(text);
  if (given?.format !== FORMAT) throw problem('invalid', words.BAD_MANIFEST);
  if (typeof given.version !== 'number' || given.version > FORMAT_VERSION) throw problem('invalid', words.NEWER_FORMAT);
  const { success, data: manifest } = manifestSchema.safeParse(given);
  if (!success) throw problem('invalid', words.BAD_MANIFEST);

  /** The path of a file of the export; null for a name that leads out of the folder. */
  function pathOf(name: string): string | null {
    const inside = path.resolve(folder, name);
    return inside.startsWith(path.resolve(folder) + path.sep) ? inside : null;
  }

  /** Compares a file with its size and hash in the manifest. */
  async function compare(
    name: string,
    expected: { bytes: number | null; sha256: string | null },
  ): Promise<'whole' | 'changed' | 'absent'> {
    const file = pathOf(name);
    if (file === null) return 'changed';
    const found = await stat(file).catch((error: unknown) => (isMissing(error) ? 'absent' : null));
    if (found === 'absent') return 'absent';
    const isWhole = found?.isFile() && found.size === expected.bytes && (await hashOf(file)) === expected.sha256;
    return isWhole ? 'whole' : 'changed';
  }

  return {
    manifest,
    sha256: createHash('sha256').update(text).digest('hex'),
    compare,
    /** Data files that differ from the manifest, or are missing. */
    async changed(): Promise<string[]> {
      const bad: string[] = [];
      for (const file of manifest.files) if ((await compare(file.name, file)) !== 'whole') bad.push(file.name);
      return bad;
    },
    /** An original, after `compare`. */
    read: (name: string): Promise<Buffer> => readFile(pathOf(name) ?? ''),
    picture: (kind: string) =>
      manifest.files.find(({ name, bytes }) => name.startsWith(`pictures/${kind}.`) && bytes <= MAX_UPLOAD_BYTES)
        ?.name ?? null,
    /** The rows of a dataset in order, one at a time. @throws invalid for a line that is no row */
    async *rows(dataset: string): AsyncGenerator<Record<string, unknown>> {
      const names = manifest.files.map(({ name }) => name);
      const ofDataset = new RegExp(`^${dataset}-\\d+\\.jsonl$`);
      const files = names.filter((name) => ofDataset.test(name)).toSorted();
      for (const name of files) {
        const lines = createInterface({ input: createReadStream(pathOf(name) ?? '', 'utf8'), crlfDelay: Infinity });
        let number = 0;
        for await (const line of lines) {
          number += 1;
          const row = line === '' ? {} : readObject(line);
          if (row === null || !isStorable(row)) throw problem('invalid', words.notTaken(name, `line ${number}`));
          if (line !== '') yield row;
        }
      }
    },
  };
}
