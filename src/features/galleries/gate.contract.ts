/** What the gate of a gallery says; apart from the schemas, because every public page carries it. */
export const GALLERY_PASSWORD_REQUIRED = 'Password is required.';
export const WRONG_GALLERY_PASSWORD = 'That password is not correct.';
/** What the gate says after an unlock without a script, by the word that is in the address. */
export const GATE_PROBLEMS = {
  empty: GALLERY_PASSWORD_REQUIRED,
  wrong: WRONG_GALLERY_PASSWORD,
  wait: 'Too many attempts. Please wait a minute and try again.',
  link: 'This link no longer opens the gallery. Please ask the team for a new one, or enter the password.',
} as const;
export type GateProblem = keyof typeof GATE_PROBLEMS;
