/** Presents a comparison: texts of both sides, and rows for the page. */
import * as words from '#src/features/reconciliation/reconciliation.contract.ts';
import { present } from '#src/shared/field-names.ts';
import { formatDollars } from '#src/shared/money.ts';

export type FoundDifference = {
  kind: words.DifferenceKind;
  subject: string;
  orderId: number | null;
  organizationId: number | null;
  ours: string;
  theirs: string;
  differenceCents: number | null;
};

/** More of one kind than anyone could read; they have one cause. */
export const MOST_OF_A_KIND = 500;

/** Kinds for which a comparison may have found more than it lists: differences that are not listed have not been resolved. */
export function kindsCutOff(found: readonly { kind: words.DifferenceKind }[]): words.DifferenceKind[] {
  return words.DIFFERENCE_KINDS.filter((kind) => found.filter((one) => one.kind === kind).length >= MOST_OF_A_KIND);
}

const NOTHING = 'nothing';
const textOf = (amountCents: number | null) => (amountCents === null ? NOTHING : formatDollars(amountCents));

export type Compared = Omit<FoundDifference, 'ours' | 'theirs' | 'differenceCents'> & {
  oursCents: number | null;
  theirsCents: number | null;
};

/** Two amounts that should be equal. */
export function differenceOf(found: Compared): FoundDifference {
  const { oursCents, theirsCents, ...what } = found;
  return {
    ...what,
    ours: textOf(oursCents),
    theirs: textOf(theirsCents),
    differenceCents: (theirsCents ?? 0) - (oursCents ?? 0),
  };
}

/** The auditor's message, `name: detail (rule)`. */
export function brokenRule(line: string): FoundDifference {
  const [, detail = line, rule = ''] = /^(.*?) \(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(line) ?? [];
  return {
    kind: 'broken_rule',
    subject: detail.slice(0, 300),
    orderId: null,
    organizationId: null,
    ours: detail.slice(0, 300),
    theirs: rule.slice(0, 300),
    differenceCents: null,
  };
}

export function reportDiffers(found: {
  organizationId: number;
  what: 'net' | 'tax';
  reportCents: number;
  ledgerCents: number;
}): FoundDifference {
  return {
    kind: 'report_differs',
    subject: `organization ${found.organizationId}, ${found.what === 'net' ? 'what it gets' : 'taxes'}`,
    orderId: null,
    organizationId: found.organizationId,
    ours: `${textOf(found.reportCents)} in the report`,
    theirs: `${textOf(found.ledgerCents)} in the ledger`,
    differenceCents: found.ledgerCents - found.reportCents,
  };
}

export function figuresOf(
  sides: readonly { what: string; ours: words.Figures[string]['ours']; theirs: words.Figures[string]['theirs'] }[],
): words.Figures {
  return Object.fromEntries(sides.map(({ what, ours, theirs }) => [what, { ours, theirs }]));
}

export type RunRow = {
  id: number;
  state: words.RunAnswer['state'];
  askedBy: string | null;
  from: Date | null;
  to: Date | null;
  startedAt: Date;
  finishedAt: Date | null;
  figures: unknown;
  found: number;
};

export const presentRun = (run: RunRow): words.RunAnswer =>
  present(words.runAnswer, { ...run, figures: words.figuresSchema.parse(run.figures ?? {}) });

const isKind = (kind: string): kind is words.DifferenceKind =>
  (words.DIFFERENCE_KINDS as readonly string[]).includes(kind);

export type DifferenceRow = Omit<FoundDifference, 'kind'> & {
  kind: string;
  id: number;
  organization: string | null;
  state: words.DifferenceState;
  ownerId: number | null;
  owner: string | null;
  note: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  closedAt: Date | null;
};

export function presentDifference(row: DifferenceRow, userId: number): words.DifferenceAnswer {
  const kind = isKind(row.kind) ? row.kind : 'broken_rule';
  return present(words.differenceAnswer, { ...row, kind, mine: row.ownerId === userId });
}
