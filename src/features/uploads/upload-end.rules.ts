/** What the upload tray says when nothing is on its way any more: what is in, what is not, and why. */
import type { UploadRow, UploadSummary } from '#src/features/uploads/upload-summary.rules.ts';

export type UploadEnd = {
  /** The outcome of the photos that were to go up. */
  headline: string;
  /** What else there is to know; none when all are in. */
  details: string[];
};

export function endOf({ counts, troubled }: Pick<UploadSummary, 'counts' | 'troubled'>): UploadEnd {
  const { added, known } = counts;
  const details = [
    ...(known > 0 && added > 0 ? [skippedWords(known)] : []),
    ...(troubled.length > 0 ? [troubleWords(troubled)] : []),
  ];
  if (added > 0) return { headline: added === 1 ? '1 photo is in' : `${counted(added)} photos are in`, details };
  if (known > 0)
    return {
      headline:
        known === 1 ? 'This photo is already in this gallery' : `All ${counted(known)} are already in this gallery`,
      details,
    };
  return { headline: `${counted(troubled.length)} not uploaded`, details: details.map(withoutCount) };
}

/** Those that are in the gallery already, or were chosen twice. */
export function skippedWords(count: number): string {
  return `${counted(count)} already here, skipped`;
}

/** "1 was not: a.heic. Only JPEG …"; of several the reason where it is the same for all. */
function troubleWords(troubled: readonly UploadRow[]): string {
  const [first] = troubled;
  const reasons = new Set(troubled.map(({ problem }) => problem));
  if (troubled.length === 1) return `1 was not: ${first?.name ?? ''}. ${first?.problem ?? ''}`.trim();
  const why = reasons.size === 1 ? (first?.problem ?? '') : 'Show the files to see why.';
  return `${counted(troubled.length)} were not. ${why}`.trim();
}

/** Where the headline counts them already. */
function withoutCount(detail: string): string {
  return detail.replace(/^[\d,]+ (?:was|were) not[:.] /, '');
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
