/** The layout of printed cards, in points of 1/72 inch from the bottom left. */
import type { CardLayout, Paper } from '#src/features/families/cards.contract.ts';

type Size = { width: number; height: number };
export type Box = Size & { x: number; y: number };

export const PAPER_SIZES: Record<Paper, Size> = {
  letter: { width: 612, height: 792 },
  a4: { width: 595.28, height: 841.89 },
};
/** A business card of the common perforated sheets: 3.5 × 2 inches, ten on a page. */
export const WALLET = { width: 252, height: 144, columns: 2, rows: 5 } as const;

const MM = 72 / 25.4;
/** The QR codes: at least 24 mm on a wallet card, 90 mm on a photo day card. */
export const WALLET_CODE = 25.5 * MM;
export const PHOTO_DAY_CODE = 90 * MM;

/** The positions of the cards on a page, row by row from the top. */
export function placesOn(layout: CardLayout, paper: Paper): Box[] {
  const { width, height } = PAPER_SIZES[paper];
  if (layout === 'photo_day') {
    const half = { x: 0, width, height: height / 2 };
    return [
      { ...half, y: height / 2 },
      { ...half, y: 0 },
    ];
  }
  const { columns, rows, ...card } = WALLET;
  const [left, bottom] = [(width - columns * card.width) / 2, (height - rows * card.height) / 2];
  return Array.from({ length: columns * rows }, (_, at) => ({
    ...card,
    x: left + (at % columns) * card.width,
    y: bottom + (rows - 1 - Math.floor(at / columns)) * card.height,
  }));
}

/** Cut marks: short lines in the margins of the page. */
export function cutMarks(layout: CardLayout, paper: Paper): Box[] {
  const { width, height } = PAPER_SIZES[paper];
  const thin = 0.5;
  if (layout === 'photo_day') return [0, width - 24].map((x) => ({ x, y: height / 2, width: 24, height: thin }));
  const { columns, rows, ...card } = WALLET;
  const [left, bottom] = [(width - columns * card.width) / 2, (height - rows * card.height) / 2];
  const length = 14;
  const across = Array.from({ length: columns + 1 }, (_, at) => left + at * card.width);
  const down = Array.from({ length: rows + 1 }, (_, at) => bottom + at * card.height);
  return [
    ...across.flatMap((x) =>
      [bottom - length - 4, height - bottom + 4].map((y) => ({ x, y, width: thin, height: length })),
    ),
    ...down.flatMap((y) => [left - length - 4, width - left + 4].map((x) => ({ x, y, width: length, height: thin }))),
  ];
}
