/** Whose word about a child holds (athletes specification B.5, B.10). */
import type { Consent } from '#src/features/consent/consent.contract.ts';

const STRICTNESS: Record<Consent, number> = { unknown: 0, yes: 1, family: 2, no: 3 };

/** The one that shows a photo to the fewest; `unknown` counts least, because everything else was said by somebody. */
export function strictestOf(consents: readonly Consent[]): Consent {
  return consents.reduce<Consent>(
    (strictest, each) => (STRICTNESS[each] > STRICTNESS[strictest] ? each : strictest),
    'unknown',
  );
}

/**
 * What holds for one child of whom two things were said, where the club reads `unknown` as `meant`. What shows the photos to the
 * fewest; a mere `unknown` that is stricter takes the place of a `yes`, but of a `family` only as a `no`: the club may read it otherwise later.
 */
export function stricterOf(one: Consent, other: Consent, meant: Consent): Consent {
  const said = strictestOf([one, other]);
  const strictest = strictestOf([one, other].map((each) => (each === 'unknown' ? meant : each)));
  if (said === strictest) return said;
  return said === 'family' ? strictest : 'unknown';
}

/** Who says it: a member, a file of the club, or a family. */
export type ConsentBy = 'import' | 'member' | 'family';

/** Somebody said it about this child: a file, which may be old, makes it no looser. */
export const isOwnWord = (by: ConsentBy | null): boolean => by === 'family' || by === 'member';

export type ConsentStatus = {
  consent: Consent;
  by: ConsentBy | null;
  /** What the club had said before a family spoke. */
  clubConsent: Consent | null;
  /** What families said last by the cards that are still good, this one included; of a file, else what stays of cards that ended. */
  families: readonly Consent[];
};

/**
 * What holds when somebody says `wished`. A member decides. A file takes back nothing that a family or a member asked for, and what it makes
 * stricter a later file may make looser again, as far as the family's own word. Of several
 * families the strictest holds, and the club's own `no` or `family` stays: a card may have been passed around, or found.
 */
export function consentAfter(status: ConsentStatus, wished: Consent, by: ConsentBy): Consent {
  if (by === 'member') return wished;
  if (by === 'import') {
    if (status.by === 'family' && status.families.length > 0) return strictestOf([wished, ...status.families]);
    return isOwnWord(status.by) ? strictestOf([status.consent, wished]) : wished;
  }
  const club = status.by === 'family' ? status.clubConsent : status.consent;
  return strictestOf([club ?? 'unknown', ...(status.families.length > 0 ? status.families : [wished])]);
}

/** What holds once a card of the athlete has ended: the card's `yes` goes with it, and a stricter word stays until somebody says otherwise. */
export function consentAfterCard({ consent, by, clubConsent, families }: ConsentStatus): Consent {
  return by === 'family' && consent === 'yes' ? strictestOf([clubConsent ?? 'unknown', ...families]) : consent;
}
