/** Consent: what a club or a family allows (specification athletes B.5). */

export const CONSENTS = ['yes', 'family', 'no', 'unknown'] as const;
/** `family`: only to the child's own family. `unknown` means what the organization chose. */
export type Consent = (typeof CONSENTS)[number];
/** What `unknown` means. */
export const UNKNOWN_CONSENTS = ['show', 'family', 'hide'] as const;
export type UnknownConsent = (typeof UNKNOWN_CONSENTS)[number];

export const ATHLETE_NOT_FOUND = 'We cannot find this athlete.';
