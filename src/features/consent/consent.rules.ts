/** Which consent for a child applies (athletes specification B.5, B.10). */
import type { Consent } from '#src/features/consent/consent.contract.ts';

const STRICTNESS: Record<Consent, number> = { unknown: 0, yes: 1, family: 2, no: 3 };

/** The consent that shows a photo to the fewest people; `unknown` counts least, because someone chose each of the others. */
export function strictestOf(consents: readonly Consent[]): Consent {
  return consents.reduce<Consent>(
    (strictest, each) => (STRICTNESS[each] > STRICTNESS[strictest] ? each : strictest),
    'unknown',
  );
}

/**
 * The consent of one child with two answers, in a club where `unknown` means `meant`: the one that shows the photos to
 * fewer people. An `unknown` that is stricter replaces a `yes`, but a `family` only when it means `no`: the club may
 * change its meaning later.
 */
export function stricterOf(one: Consent, other: Consent, meant: Consent): Consent {
  const asGiven = strictestOf([one, other]);
  const strictest = strictestOf([one, other].map((each) => (each === 'unknown' ? meant : each)));
  if (asGiven === strictest) return asGiven;
  return asGiven === 'family' ? strictest : 'unknown';
}

/** Who says it: a member, an imported file, or a family. */
export type ConsentBy = 'import' | 'member' | 'family';

/** Someone said it about this child, so that a file, which may be old, cannot loosen it. */
export const isOwnWord = (by: ConsentBy | null): boolean => by === 'family' || by === 'member';

export type ConsentStatus = {
  consent: Consent;
  by: ConsentBy | null;
  /** What the club had said before a family answered. */
  clubConsent: Consent | null;
  /** The last answers of families, by their valid cards, including this one; for a file, else what remains of ended cards. */
  families: readonly Consent[];
};

/**
 * The consent after someone says `answer`. A member decides. A file does not loosen what a family or a member asked
 * for; what a file makes stricter, a later file may loosen again, down to the family's own answer. Of several families
 * the strictest applies, and the club's own `no` or `family` stays: a card may have been passed around, or found.
 */
export function consentAfter(status: ConsentStatus, answer: Consent, by: ConsentBy): Consent {
  if (by === 'member') return answer;
  if (by === 'import') {
    if (status.by === 'family' && status.families.length > 0) return strictestOf([answer, ...status.families]);
    return isOwnWord(status.by) ? strictestOf([status.consent, answer]) : answer;
  }
  const club = status.by === 'family' ? status.clubConsent : status.consent;
  return strictestOf([club ?? 'unknown', ...(status.families.length > 0 ? status.families : [answer])]);
}

/**
 * The consent after a card of the athlete has ended: the card's `yes` ends with it, and a stricter answer stays until
 * someone says otherwise.
 */
export function consentAfterCard({ consent, by, clubConsent, families }: ConsentStatus): Consent {
  return by === 'family' && consent === 'yes' ? strictestOf([clubConsent ?? 'unknown', ...families]) : consent;
}
