/** How fast photos go up, and how long the rest will take. */

/** Seen over so many milliseconds: long enough to be calm, short enough to follow a line that changes. */
const WINDOW_MS = 10_000;
/** Less says nothing. */
const SHORTEST_MS = 2_000;

export type UploadPace = ReturnType<typeof createUploadPace>;

export function createUploadPace() {
  let samples: { at: number; bytes: number }[] = [];
  return {
    /** Bytes a second; null while it cannot be told. @param sentBytes of the whole run so far */
    note(now: number, sentBytes: number): number | null {
      const last = samples.at(-1);
      if (last && sentBytes < last.bytes) samples = [];
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

/** "3.2 MB/s · 2 min left"; nothing while the pace cannot be told. */
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
