/**
 * One row of a file of galleries: all its problems in the specification's words (A§5), and the gallery it describes (rule 44).
 */
import * as words from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { COLUMNS, type Cells, type Column } from '#src/features/bulk-imports/csv-columns.rules.ts';
import {
  GOAL_INVALID,
  MAX_GALLERY_PASSWORD_CHARACTERS,
  MAX_GOAL_CENTS,
  MAX_PRICE_CENTS,
  PRICE_INVALID,
  type NewGallery,
} from '#src/features/galleries/galleries.contract.ts';
import { parseDollarText, type Cents } from '#src/shared/money.ts';
import { hasVisibleText } from '#src/shared/validators.ts';

const YES = new Set(['yes', 'y', 'true', '1']);
const NO = new Set(['no', 'n', 'false', '0']);
/** Null: blank, so the default. Undefined: neither yes nor no. */
function answerOf(text: string): boolean | null | undefined {
  const word = text.toLowerCase();
  if (word === '') return null;
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

const FLAGS = ['hideGallery', 'watermark', 'passwordRequired', 'allowContributions', 'allowVoting'] as const;
/** Columns whose values are checked in another way. */
type Checked = (typeof FLAGS)[number] | 'orgname' | 'domain_name' | 'pricePerPhoto' | 'fundraisingGoal';
const LENGTHS: Record<Exclude<Column<'galleries'>, Checked>, number> = {
  galleryName: 200,
  photosBy: 200,
  fundraisingGoalRecipient: 500,
  password: MAX_GALLERY_PASSWORD_CHARACTERS,
};
/** Digits with at most one point, perhaps after a dollar sign: no other sign, letter or exponent. */
const NUMBER = /^\$?\d{1,15}(?:\.\d{1,15})?$/;

function amountProblems(text: string, sentences: { notANumber: string; invalid: string; maximum: number }): string[] {
  const amount = parseDollarText(text);
  if (amount === null) return [NUMBER.test(text) ? sentences.invalid : sentences.notANumber];
  return amount > sentences.maximum ? [sentences.invalid] : [];
}

/** Problems that a row has on its own. */
export function galleryProblems(cells: Cells): string[] {
  const text = (name: Column<'galleries'>) => cells[name] ?? '';
  const problems = COLUMNS.galleries.required.filter((name) => !hasVisibleText(text(name))).map(words.fieldRequired);
  // A blank price was reported already.
  if (hasVisibleText(text('pricePerPhoto')))
    problems.push(
      ...amountProblems(text('pricePerPhoto'), {
        notANumber: words.PRICE_NOT_A_NUMBER,
        invalid: PRICE_INVALID,
        maximum: MAX_PRICE_CENTS,
      }),
    );
  if (text('fundraisingGoal') !== '')
    problems.push(
      ...amountProblems(text('fundraisingGoal'), {
        notANumber: words.GOAL_NOT_A_NUMBER,
        invalid: GOAL_INVALID,
        maximum: MAX_GOAL_CENTS,
      }),
    );
  for (const [name, max] of Object.entries(LENGTHS))
    if ((cells[name] ?? '').length > max) problems.push(words.tooLong(name, max));
  for (const flag of FLAGS) if (answerOf(text(flag)) === undefined) problems.push(words.mustBeYesOrNo(flag));
  if (answerOf(text('passwordRequired')) === true && text('password').trim() === '')
    problems.push(words.PASSWORD_WHEN_REQUIRED);
  return problems;
}

/** Settings without a column; whatever else a new gallery has, a row must give. */
type OnlyInForms = 'display_goal' | 'price_sheet_id';

/** The gallery that a row without problems describes. */
export function galleryOf(cells: Cells, organizationId: number): NewGallery {
  const text = (name: Column<'galleries'>) => cells[name] ?? '';
  const flag = (name: (typeof FLAGS)[number]) => answerOf(text(name)) ?? undefined;
  const amount = (name: Column<'galleries'>) => parseDollarText(text(name)) ?? (0 as Cents);
  return {
    organization_id: organizationId,
    name: text('galleryName'),
    price_per_photo: amount('pricePerPhoto'),
    photos_by: text('photosBy'),
    is_private: flag('hideGallery'),
    display_watermark: flag('watermark'),
    password_required: flag('passwordRequired'),
    password: text('password').trim(),
    allow_public_contributions: flag('allowContributions'),
    allow_voting: flag('allowVoting'),
    goal_description: text('fundraisingGoalRecipient'),
    target_goal: amount('fundraisingGoal'),
  } satisfies Record<Exclude<keyof NewGallery, OnlyInForms>, unknown>;
}
