/** Texts of roster screens. */
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { counted } from '#src/shared/counted.ts';

/** A sign beside the word, so that the meaning does not depend on color. */
export const CONSENT_WORDS: Record<Consent, string> = {
  yes: '✓ Yes',
  family: '⌂ Family only',
  no: '✕ No',
  unknown: '? Not asked',
};

const photos = (count: number) => counted(count, 'photo is', 'photos are');

/** The effect of a new consent. */
export function effectWords({ hidden, shown }: { hidden: number; shown: number }): string[] {
  return [
    ...(hidden > 0 ? [`${photos(hidden)} hidden now.`] : []),
    ...(shown > 0 ? [`${photos(shown)} shown again.`] : []),
  ];
}
