/**
 * A file that reserves disk space for the embedded database. On a full disk PostgreSQL cannot write the next segment of
 * its log: it stops, and recovery stops for the same reason, permanently. Then the file is deleted, the database starts
 * again, and the sweeps that free space can run; once there is space the file is written again (rule 63).
 */
import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';

/** Four segments of the log. */
const RESERVE_BYTES = 64 * 1_048_576;
/** One segment and what a recovery writes in addition. */
const FULL_BELOW_BYTES = 32 * 1_048_576;
/** On a small disk at most an eighth is reserved. */
const SHARE_OF_DISK = 8;
const PIECE_BYTES = 1_048_576;

export function createDiskReserve({ dataDir, log }: { dataDir: string; log: Logger }) {
  const file = path.join(path.resolve(dataDir), 'postgres.reserve');

  async function readSpace(): Promise<{ freeBytes: number; wantedBytes: number }> {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return {
      freeBytes: bavail * bsize,
      wantedBytes: Math.min(RESERVE_BYTES, Math.floor((blocks * bsize) / SHARE_OF_DISK)),
    };
  }

  const heldBytes = async (): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;

  return {
    /** Before the database starts: deletes the file if the disk is too full for it. */
    async giveUpIfFull() {
      const { freeBytes } = await readSpace();
      const held = await heldBytes();
      if (freeBytes >= FULL_BELOW_BYTES || held === 0) return;
      await rm(file, { force: true });
      log.error(
        { freeBytes, held },
        'the disk is full: the space that was held for the database is given up, please free some space',
      );
    },

    /** Writes the file if it is missing and the disk has space for it. Never rejects. */
    async keep() {
      try {
        const { freeBytes, wantedBytes } = await readSpace();
        if ((await heldBytes()) > 0 || freeBytes < 2 * wantedBytes + FULL_BELOW_BYTES) return;
        await fill(file, wantedBytes);
      } catch (error) {
        log.warn({ err: error }, 'no space could be held for the database');
      }
    },
  };
}

/** Random bytes, since some file systems do not store zeros; all of them or none. */
async function fill(file: string, bytes: number): Promise<void> {
  const draft = `${file}.new`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      const piece = randomBytes(PIECE_BYTES);
      for (let written = 0; written < bytes; written += PIECE_BYTES) await handle.appendFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
