/** A photo on its way up, and the sum of all of them. */
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';

/** `known`: in the gallery already, and skipped unless its owner insists; `refused`: stays here, whatever is tried; `failed`: may be tried again; `adding`: stored, being claimed. */
export type UploadStage = 'waiting' | 'sending' | 'adding' | 'added' | 'known' | 'failed' | 'refused';

export type UploadRow = {
  readonly id: number;
  readonly galleryId: number;
  readonly name: string;
  readonly bytes: number;
  readonly sentBytes: number;
  readonly stage: UploadStage;
  readonly problem: string | null;
  readonly upgradePath: string | null;
  readonly editorPath: string | null;
};

/** Why nothing goes on right now; it does so on its own. */
export type UploadHold = 'network' | 'session';
export type QueueState = {
  readonly isPaused: boolean;
  readonly hold: UploadHold | null;
  /** Why these uploads could not continue after a reload; null while they are kept. */
  readonly keepingTrouble: string | null;
  /** Those among the waiting that are looked at first. */
  readonly checking: number;
  /** Null while it cannot be told. */
  readonly bytesPerSecond: number | null;
};

export type UploadSummary = QueueState & {
  /** Row ids: first those that need their owner, then the others, each in the order of choosing. */
  readonly ids: readonly number[];
  /** Place in `ids` of the first one that is at work or waits; -1 when all is done. */
  readonly firstInWork: number;
  readonly counts: Readonly<Record<UploadStage, number>>;
  /** Of everything that is to go up. */
  readonly bytes: number;
  readonly sentBytes: number;
  /** Where the owner gets space for more photos, when that is what is missing. */
  readonly upgradePath: string | null;
  /** Where the owner continues with the photos; null when they are of several galleries. */
  readonly editorPath: string | null;
  /** Those that did not get in. */
  readonly troubled: readonly UploadRow[];
};

const needsOwner = ({ stage }: UploadRow) => stage === 'failed' || stage === 'refused';
const isInWork = ({ stage }: UploadRow) => stage === 'sending' || stage === 'adding' || stage === 'waiting';

/** @param rows in the order of choosing */
export function summarize(rows: readonly UploadRow[], state: QueueState): UploadSummary {
  const counts: Record<UploadStage, number> = {
    waiting: 0,
    sending: 0,
    adding: 0,
    added: 0,
    known: 0,
    failed: 0,
    refused: 0,
  };
  let [bytes, sentBytes] = [0, 0];
  for (const row of rows) {
    counts[row.stage]++;
    if (row.stage === 'refused' || row.stage === 'known') continue;
    bytes += row.bytes;
    sentBytes += row.sentBytes;
  }
  const troubled = rows.filter(needsOwner);
  const editors = new Set(rows.map(({ editorPath }) => editorPath));
  const ordered = [...troubled, ...rows.filter((row) => !needsOwner(row))];
  return {
    ids: ordered.map(({ id }) => id),
    firstInWork: ordered.findIndex(isInWork),
    counts,
    bytes,
    sentBytes,
    upgradePath: rows.find(({ problem }) => problem === UPGRADE_FOR_MORE_PHOTOS)?.upgradePath ?? null,
    editorPath: editors.size === 1 ? ([...editors][0] ?? null) : null,
    troubled,
    ...state,
  };
}
