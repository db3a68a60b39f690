/** The contents of a printed statement: read back from its bytes, as a PDF reader copies text. */
import { describe, expect, test } from 'vitest';
import { printStatement } from '#src/features/statements/statement-print.service.ts';
import { accountCells } from '#src/features/statements/statement-print.rules.ts';
import {
  changeOf,
  earnedOf,
  EMPTY_ACCOUNT,
  type GalleryPart,
  type Statement,
  type StatementLine,
} from '#src/features/statements/statements.rules.ts';
import { cents } from '#src/shared/money.ts';
import { seePdf } from '#tests/support/read-pdf.ts';

const HAWKS = {
  id: 17,
  name: 'Hawks Soccer Club',
  path: 'hawks',
  timeZone: 'America/New_York',
  primaryColor: '#0B6E4F',
};

function statementOf(changes: Partial<Statement> = {}, orders = 2): Statement {
  const moved = {
    ...EMPTY_ACCOUNT,
    salesCents: cents(800 * orders),
    feesCents: cents(-53 * orders),
    shareCents: cents(-160 * orders),
  };
  const account = {
    ...moved,
    openingCents: cents(1_000),
    orders,
    taxCents: cents(66),
    closingCents: cents(1_000 + changeOf(moved)),
  };
  return {
    number: '17-202610',
    month: '2026-10',
    from: '2026-10-01',
    to: '2026-10-31',
    closed: true,
    hasEarlier: true,
    organization: { ...HAWKS, isParent: false },
    account,
    galleries: [],
    sections: [],
    ...changes,
  };
}

const linesOf = (count: number): StatementLine[] =>
  Array.from({ length: count }, (_, index) => ({
    key: String(index),
    at: new Date(Date.UTC(2026, 9, 1 + (index % 31), 3, 59)),
    kind: 'sale',
    sourceId: String(index),
    isOwn: false,
    organization: HAWKS,
    orderId: 4_000 + index,
    salesCents: cents(800),
    donationsCents: cents(0),
    taxCents: cents(0),
    feesCents: cents(-53),
    shareCents: cents(-160),
    refundsCents: cents(0),
    disputesCents: cents(0),
    payoutsCents: cents(0),
    otherCents: cents(0),
    changeCents: cents(587),
    offersSavedCents: cents(0),
    reductionsCents: cents(0),
    creditSoldCents: cents(0),
    creditUsedCents: cents(0),
  }));

const gallery = (name: string, galleryId = 5): GalleryPart => ({
  organizationId: 17,
  galleryId,
  name,
  photos: 2,
  salesCents: cents(800),
  donationsCents: cents(0),
  refundsCents: cents(0),
  feesCents: cents(-53),
  shareCents: cents(-160),
  disputesCents: cents(0),
  netCents: cents(587),
});

test('an account on one line adds up also in a month with a returned payout and a paid invoice', () => {
  const moved = {
    ...EMPTY_ACCOUNT,
    salesCents: cents(10_000),
    feesCents: cents(-500),
    shareCents: cents(-2_000),
    refundsCents: cents(-9_000),
    payoutsCents: cents(-4_000),
    returnedCents: cents(1_000),
    settledCents: cents(1_234),
  };
  expect(accountCells({ ...moved, closingCents: changeOf(moved) })).toEqual([
    '$0.00',
    '$100.00',
    '-$25.00',
    '-$90.00',
    '-$17.66',
    '-$32.66',
  ]);
  expect(earnedOf(moved)).toBe(-1_500);
});

describe('a printed statement', () => {
  test('is US letter with the organization, the month, its number, the balances and every line', async () => {
    const seen = await seePdf(await printStatement(statementOf(), linesOf(2)));
    expect(seen.pages).toEqual([{ width: 612, height: 792 }]);
    expect(seen.title).toBe('Statement 17-202610, Hawks Soccer Club: October 2026');
    for (const said of [
      'Hawks Soccer Club',
      'Statement for October 2026',
      'Number 17-202610',
      '10.01.2026 to 10.31.2026',
      'Opening balance',
      '$10.00',
      'Card fees',
      '-$1.06',
      'Closing balance',
      '$21.74',
      'Taxes collected',
      '$0.66',
      '4001',
      'Page 1 of 1',
    ])
      expect(seen.lines).toContain(said);
    // Before midnight of New York it is still the last of September.
    expect(seen.lines).toContain('09.30.2026');
    // The balance after each line.
    expect(seen.lines.filter((text) => ['$15.87', '$21.74'].includes(text))).toEqual([
      '$21.74',
      '$15.87',
      '$21.74',
      '$21.74',
    ]);
  });

  test('continues over pages, each with its headings and its number', async () => {
    const seen = await seePdf(await printStatement(statementOf({}, 200), linesOf(200)));
    expect(seen.pages.length).toBeGreaterThan(3);
    for (const [index, text] of seen.sheets.entries()) {
      expect(text).toContain(`Page ${index + 1} of ${seen.pages.length}`);
      for (const head of ['Date', 'What', 'Order', 'Change', 'Balance'])
        expect(text, `page ${index + 1}`).toContain(head);
    }
    const orders = seen.sheets.flat().filter((text) => /^4\d{3}$/.test(text));
    expect(orders).toEqual(linesOf(200).map(({ orderId }) => String(orderId)));
  });

  test('never leaves the closing balance alone on a page', async () => {
    const pages = new Set<number>();
    for (let count = 20; count < 44; count += 1) {
      const seen = await seePdf(await printStatement(statementOf({}, count), linesOf(count)));
      pages.add(seen.pages.length);
      expect(
        seen.sheets.at(-1)?.some((text) => /^4\d{3}$/.test(text)),
        `${count} lines`,
      ).toBe(true);
    }
    expect(pages.size).toBeGreaterThan(1);
  });

  test('shows when a name is shortened, and uses the number for names that the fonts cannot draw', async () => {
    const long =
      'Frühjahrsfinale der Mannschaften aus allen Ländern und Vereinen des hohen Nordens und des tiefen Südens';
    const galleries = [
      gallery('Cup'),
      gallery(long, 6),
      gallery('日本語のギャラリー 2026', 7),
      gallery('فريق', 8),
      gallery('W'.repeat(200), 9),
      gallery('Команда', 10),
    ];
    const seen = await seePdf(await printStatement(statementOf({ galleries }), linesOf(1)));
    expect(seen.lines).toContain('Cup');
    expect(seen.lines.some((text) => text.startsWith('Frühjahrsfinale'))).toBe(true);
    expect(seen.lines.filter((text) => text.endsWith('…'))).toHaveLength(2);
    expect(seen.lines).toContain('Gallery 7: 2026');
    expect(seen.lines).toContain('Gallery 8');
    expect(seen.lines).toContain('Команда');
  });

  test('of a parent has a section for each organization and the sum of all', async () => {
    const { account } = statementOf();
    const sections = [
      { id: 17, name: 'Hawks', path: 'hawks', account },
      { id: 18, name: 'Tides', path: 'tides', account },
    ];
    const organization = { ...HAWKS, name: 'Lakeside', isParent: true };
    const seen = await seePdf(
      await printStatement(statementOf({ organization, sections, galleries: [gallery('Cup')] }), []),
    );
    for (const said of ['Lakeside', 'By organization', 'Hawks', 'Tides', 'All', 'By gallery', 'Cup'])
      expect(seen.lines).toContain(said);
    expect(seen.lines).not.toContain('Line by line');
  });

  test('of a current month says so, and the same statement is the same file', async () => {
    const running = statementOf({ closed: false });
    const [one, other] = [await printStatement(running, linesOf(3)), await printStatement(running, linesOf(3))];
    expect((await seePdf(one)).lines).toContain('10.01.2026 to 10.31.2026. In progress.');
    expect(one.equals(other)).toBe(true);
  });
});
