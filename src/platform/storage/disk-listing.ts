/** Walks the objects of a folder in key order, as S3 lists them: byte order of the whole key. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ifThere } from '#src/platform/storage/storage-faults.ts';
import type { ListedObject } from '#src/platform/storage/storage.ts';

/** Objects whose key begins with `prefix`; what appears or goes during the walk may be in it or not. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const wholeFolders = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  yield* walk(folder, wholeFolders, prefix);
}

async function* walk(folder: string, below: string, prefix: string): AsyncGenerator<ListedObject> {
  for (const entry of await entriesOf(path.join(folder, below))) {
    const name = `${below}${orderedName(entry)}`;
    if (entry.isDirectory()) {
      if (name.startsWith(prefix) || prefix.startsWith(name)) yield* walk(folder, name, prefix);
    } else if (name.startsWith(prefix)) {
      const object = await describe(folder, name);
      if (object) yield object;
    }
  }
}

/** A folder sorts as its objects do, with the slash that follows its name. */
function orderedName(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await ifThere(() => readdir(directory, { withFileTypes: true }));
  const visible = (entries ?? []).filter(
    (entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()),
  );
  return visible.sort((a, b) => (orderedName(a) < orderedName(b) ? -1 : 1));
}

async function describe(folder: string, key: string): Promise<ListedObject | null> {
  const stats = await ifThere(() => stat(path.join(folder, key)));
  return stats && { key, bytes: stats.size, lastModified: stats.mtime };
}
