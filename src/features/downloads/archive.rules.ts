/** The contents and file names of an order's archive. They depend only on the order, so it is the same each time. */
import type { Receipt } from '#src/features/orders/receipt.rules.ts';
import { publicDay } from '#src/shared/dates.ts';
import { slugOf } from '#src/shared/slug.ts';

export const MANIFEST = 'manifest.txt';

/** Unique file names, also ignoring case: "Goal.jpg", "Goal (2).jpg". */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set([MANIFEST]);
  const next = new Map<string, number>();
  return names.map((name) => {
    const wanted = keyOf(name);
    let unique = name;
    for (let count = next.get(wanted) ?? 1; taken.has(keyOf(unique)); unique = numbered(name, count)) {
      count += 1;
      next.set(wanted, count);
    }
    taken.add(keyOf(unique));
    return unique;
  });
}

/** Some systems treat composed and decomposed letters as the same, and most treat capitals and lower case as the same. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase();

function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name} (${count})` : `${name.slice(0, dot)} (${count})${name.slice(dot)}`;
}

/** "hawks-soccer-order-1234.zip" */
export function archiveName(receipt: Pick<Receipt, 'id' | 'seller'>): string {
  return `${slugOf(receipt.seller.path) || 'photos'}-order-${receipt.id}.zip`;
}

/** The text beside the photos. It contains no keys, because archives are passed on. */
export function manifestText(
  receipt: Pick<Receipt, 'id' | 'seller' | 'createdAt'>,
  files: readonly { name: string; bytes: number }[],
): string {
  const lines = [
    receipt.seller.name,
    `Order ${receipt.id} of ${publicDay(receipt.createdAt, receipt.seller.timeZone)}`,
    files.length === 1 ? '1 photo' : `${files.length} photos`,
    '',
    ...files.map((file) => `${file.name}\t${file.bytes} bytes`),
    '',
    'For personal, non-commercial use.',
  ];
  // Old text editors know only this line end.
  return `${lines.join('\r\n')}\r\n`;
}
