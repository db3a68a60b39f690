/** A photo on its way up, and the sum of all of them. */

/** `refused`: stays here, whatever is tried; `failed`: may be tried again; `adding`: stored, being claimed. */
export type UploadStage = 'waiting' | 'sending' | 'adding' | 'added' | 'failed' | 'refused';

export type UploadRow = {
  readonly id: number;
  readonly galleryId: number;
  readonly name: string;
  readonly bytes: number;
  readonly sentBytes: number;
  readonly stage: UploadStage;
  readonly problem: string | null;
  /** Refused only because it was chosen before; the owner may insist. */
  readonly mayInsist: boolean;
};

export type UploadSummary = {
  /** Row ids: first those that need their owner, then the others, each in the order of choosing. */
  readonly ids: readonly number[];
  /** Place in `ids` of the first one that is at work or waits; -1 when all is done. */
  readonly firstInWork: number;
  readonly counts: Readonly<Record<UploadStage, number>>;
  /** Of everything that is to go up. */
  readonly bytes: number;
  readonly sentBytes: number;
  readonly isPaused: boolean;
};

const needsOwner = ({ stage }: UploadRow) => stage === 'failed' || stage === 'refused';
const isInWork = ({ stage }: UploadRow) => stage === 'sending' || stage === 'adding' || stage === 'waiting';

/** @param rows in the order of choosing */
export function summarize(rows: readonly UploadRow[], isPaused: boolean): UploadSummary {
  const counts: Record<UploadStage, number> = { waiting: 0, sending: 0, adding: 0, added: 0, failed: 0, refused: 0 };
  let [bytes, sentBytes] = [0, 0];
  for (const row of rows) {
    counts[row.stage]++;
    if (row.stage === 'refused') continue;
    bytes += row.bytes;
    sentBytes += row.sentBytes;
  }
  const ordered = [...rows.filter(needsOwner), ...rows.filter((row) => !needsOwner(row))];
  return {
    ids: ordered.map(({ id }) => id),
    firstInWork: ordered.findIndex(isInWork),
    counts,
    bytes,
    sentBytes,
    isPaused,
  };
}
