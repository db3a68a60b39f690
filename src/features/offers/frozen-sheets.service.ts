/** Caches versions of price sheets, which never change. */
import type { FrozenSheet } from '#src/features/offers/best-price.rules.ts';
import { listVersions } from '#src/features/offers/frozen-sheets.sql.ts';
import type { Database } from '#src/platform/db/db.ts';

const SHEETS = {
  kind: 'system',
  why: 'a gallery that the caller may see names the version; it may just have left it',
} as const;
/** Of at most 8 kB each. */
const KEPT_AT_MOST = 500;

export type FrozenSheets = ReturnType<typeof createFrozenSheets>;
type Version = { id: number; version: number };

/** `read` returns these versions of price sheets that galleries use. It throws when one does not exist. */
export function createFrozenSheets({ database }: { database: Database }) {
  const cached = new Map<string, FrozenSheet>();
  const nameOf = ({ id, version }: Version) => `${id} ${version}`;
  return {
    async read(versions: readonly Version[]): Promise<FrozenSheet[]> {
      const missing = versions.filter((version) => !cached.has(nameOf(version)));
      const found = missing.length === 0 ? [] : await database.read(SHEETS, (db) => listVersions(db, missing));
      const fresh = new Map(found.map((sheet) => [nameOf(sheet), sheet]));
      const all = versions.map((version) => {
        const sheet = cached.get(nameOf(version)) ?? fresh.get(nameOf(version));
        if (!sheet) throw new Error(`price sheet ${version.id} has no version ${version.version}`);
        return sheet;
      });
      for (const [name, sheet] of fresh) cached.set(name, sheet);
      for (const name of cached.keys()) {
        if (cached.size <= KEPT_AT_MOST) break;
        cached.delete(name);
      }
      return all;
    },
  };
}
