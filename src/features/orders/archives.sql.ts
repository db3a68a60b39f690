/** Table of this module: sold_copy_checksums. */
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** CRC-32 by fingerprint, of those that are known. */
export async function listChecksums(db: Reader, fingerprints: readonly string[]): Promise<Map<string, number>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db
    .selectFrom('sold_copy_checksums')
    .select(['fingerprint', 'crc32'])
    .where('fingerprint', 'in', [...new Set(fingerprints)])
    .execute();
  return new Map(rows.map((row) => [row.fingerprint, Number(row.crc32)]));
}

/** What is known already stays. */
export async function keepChecksums(tx: Writer, checksums: ReadonlyMap<string, number>): Promise<void> {
  await tx
    .insertInto('sold_copy_checksums')
    .values([...checksums].map(([fingerprint, crc32]) => ({ fingerprint, crc32 })))
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute();
}
