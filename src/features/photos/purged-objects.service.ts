/** Notifies every process which objects to drop from memory, when the purging transaction commits. */
import { notifyOnCommit } from '#src/features/galleries/gallery-writes.sql.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';

const PIXELS_GONE = 'pixels_gone';
/** A notification can have 7,999 bytes; a key has 80. */
const KEYS_A_NOTICE = 80;

export const purgedObjects = {
  async notify(tx: Writer, keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += KEYS_A_NOTICE)
      await notifyOnCommit(tx, PIXELS_GONE, JSON.stringify(keys.slice(at, at + KEYS_A_NOTICE)));
  },

  /** Calls `forget` with the keys of each notification; the returned promise resolves when it listens. */
  listen: (database: Pick<Database, 'listen'>, forget: (keys: readonly string[]) => void): Promise<unknown> =>
    database.listen(PIXELS_GONE, (payload) => forget(JSON.parse(payload) as string[])),
};
