/** Facts that the legal pages share (specification P§1, 2.1, 5, 9; rules 18, 42, 43). */

/** Only platform admins see it (rule 42). */
export const TEMPLATE_NOTE = 'Template: have a lawyer review before use';

export const USER_AGREEMENT_EFFECTIVE = 'Effective January 1, 2019';
export const PRIVACY_LAST_MODIFIED = 'Last modified January 1, 2019';

/** Younger people use the site through a parent or guardian. */
export const MINIMUM_AGE = 13;
/** Days within which net amounts are paid. */
export const NET_PAYMENT_DAYS = 30;
export const LIABILITY_CAP = 'two times the amounts';
/** The specification says "a US state"; this is the template's. */
export const GOVERNING_STATE = 'Colorado';
