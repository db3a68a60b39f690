/** A photo in progress, the total of all of them, their speed, and the messages at the end. */
import { UPGRADE_FOR_MORE_PHOTOS } from '#src/features/photos/photos.contract.ts';
import { formatCount, counted } from '#src/shared/counted.ts';

/**
 * `known`: already in the gallery, and skipped unless its owner insists; `refused`: will never be accepted; `failed`:
 * may be tried again; `adding`: stored, being claimed.
 */
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

/** Why nothing continues right now; it resumes automatically. */
export type UploadHold = 'network' | 'session';
export type QueueState = {
  readonly isPaused: boolean;
  readonly hold: UploadHold | null;
  /** Why these uploads could not continue after a reload; null while they are stored. */
  readonly keepingTrouble: string | null;
  /** Waiting photos that are being checked. */
  readonly checking: number;
  /** Null while unknown. */
  readonly bytesPerSecond: number | null;
};

export type UploadSummary = QueueState & {
  /** Row ids: first those that need their owner, then the others, each in the order of choosing. */
  readonly ids: readonly number[];
  /** Index in `ids` of the first one that works or waits; -1 when all are finished. */
  readonly firstInWork: number;
  readonly counts: Readonly<Record<UploadStage, number>>;
  /** How many wait, are sent or are added. */
  readonly inWork: number;
  /** Of everything to upload. */
  readonly bytes: number;
  readonly sentBytes: number;
  /** Where the owner can get more space, if that is missing. */
  readonly upgradePath: string | null;
  /** Where the owner continues; null if the photos are of several galleries. */
  readonly editorPath: string | null;
  /** Those that were not added. */
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
  let bytes = 0;
  let sentBytes = 0;
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
    inWork: rows.filter(isInWork).length,
    bytes,
    sentBytes,
    upgradePath: rows.find(({ problem }) => problem === UPGRADE_FOR_MORE_PHOTOS)?.upgradePath ?? null,
    editorPath: editors.size === 1 ? ([...editors][0] ?? null) : null,
    troubled,
    ...state,
  };
}

type UploadEnd = {
  /** The result of the upload. */
  headline: string;
  /** More details; none when all were added. */
  details: string[];
};

export function endOf({ counts, troubled }: Pick<UploadSummary, 'counts' | 'troubled'>): UploadEnd {
  const { added, known } = counts;
  const notUploaded = `${formatCount(troubled.length)} not uploaded`;
  const reason = reasonOf(troubled);
  if (added === 0 && known === 0) return { headline: notUploaded, details: reason === '' ? [] : [reason] };
  const details = [
    ...(known > 0 && added > 0 ? [skippedWords(known)] : []),
    ...(troubled.length > 0 ? [`${notUploaded}${troubled.length === 1 ? ':' : '.'} ${reason}`.trim()] : []),
  ];
  if (added > 0) return { headline: counted(added, 'photo is in', 'photos are in'), details };
  return {
    headline:
      known === 1 ? 'This photo is already in this gallery' : `All ${formatCount(known)} are already in this gallery`,
    details,
  };
}

/** Photos that are already in the gallery, or were chosen twice. */
export function skippedWords(count: number): string {
  return `${formatCount(count)} already here, skipped`;
}

/** "a.heic. Only JPEG …"; for several the reason if it is the same for all. */
function reasonOf(troubled: readonly UploadRow[]): string {
  const [first] = troubled;
  if (!first) return '';
  if (troubled.length === 1) return `${first.name}. ${first.problem ?? ''}`.trim();
  return troubled.every(({ problem }) => problem === first.problem)
    ? (first.problem ?? '')
    : 'Show the files to see why.';
}

/** Measured over this many milliseconds: long enough to be calm, short enough to follow changes. */
const WINDOW_MS = 10_000;
/** A shorter time says nothing. */
const SHORTEST_MS = 2_000;

/** Measures the upload's speed and the remaining time. */
export function createUploadPace() {
  let samples: { at: number; bytes: number }[] = [];
  return {
    /** Bytes a second; null while unknown. @param sentBytes of the whole run so far */
    note(now: number, sentBytes: number): number | null {
      const last = samples.at(-1);
      // Until the first byte is sent, files are checked: that is no speed of the connection.
      if (sentBytes === 0 || (last && sentBytes < last.bytes)) samples = [];
      samples.push({ at: now, bytes: sentBytes });
      while (samples.length > 2 && now - (samples[1]?.at ?? now) >= WINDOW_MS) samples.shift();
      const first = samples[0];
      if (!first || now - first.at < SHORTEST_MS || sentBytes === first.bytes) return null;
      return ((sentBytes - first.bytes) * 1_000) / (now - first.at);
    },
    reset(): void {
      samples = [];
    },
  };
}

/** "3.2 MB/s · 2 min left"; empty while the speed is unknown. */
export function paceWords(bytesPerSecond: number | null, bytesLeft: number): string {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return '';
  const seconds = bytesLeft / bytesPerSecond;
  const left =
    seconds < 60
      ? 'under 1 min left'
      : seconds < 5_400
        ? `${Math.round(seconds / 60)} min left`
        : `${Math.round(seconds / 3_600)} h left`;
  const speed =
    bytesPerSecond < 100_000
      ? `${Math.max(1, Math.round(bytesPerSecond / 1_000))} kB/s`
      : `${(bytesPerSecond / 1_000_000).toFixed(1)} MB/s`;
  return `${speed} · ${left}`;
}
