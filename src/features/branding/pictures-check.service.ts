/** The part of `npm run storage:check` about logos, watermarks, home images and banners of organizations. */
import { createHash } from 'node:crypto';
import { listUsedPictures } from '#src/features/branding/settings-pictures.sql.ts';
import type { Database, Scope } from '#src/platform/db/db.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

const SCOPE: Scope = { kind: 'system', why: 'the storage check reads the pictures of every organization' };

/**
 * One line for each picture that is missing, or whose bytes do not match the hash in its name. The demo's pictures have no
 * hash in theirs. It changes nothing.
 * @throws unavailable when database or store do not respond
 */
export async function checkSettingsPictures(deps: { database: Database; storage: Storage }): Promise<string[]> {
  const used = await deps.database.read(SCOPE, listUsedPictures);
  const lines: string[] = [];
  for (const { organizationId, kind, key } of used) {
    const bytes = await deps.storage.get(key);
    const [, sha256] = /([0-9a-f]{64})\.\w+$/.exec(key) ?? [];
    const name = `organization ${organizationId}: ${kind} ${key}`;
    if (bytes === null) lines.push(`${name} is missing`);
    else if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256)
      lines.push(`${name} has other bytes than were stored`);
  }
  return lines;
}
