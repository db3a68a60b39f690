/** Texts of a gallery's password form, separate from the schemas, because every public page loads them. */
export const GALLERY_PASSWORD_REQUIRED = 'Password is required.';
export const WRONG_GALLERY_PASSWORD = 'That password is not correct.';
/** Messages after an unlock without JavaScript, by the word in the address. */
export const GATE_PROBLEMS = {
  empty: GALLERY_PASSWORD_REQUIRED,
  wrong: WRONG_GALLERY_PASSWORD,
  wait: 'Too many attempts. Please wait a minute and try again.',
  link: 'This link no longer opens the gallery. Please ask the team for a new one, or enter the password.',
} as const;
export type GateProblem = keyof typeof GATE_PROBLEMS;
