/** An organization's own card keys: texts (rule 7). */
export const KEYS_NOT_ALLOWED = 'This organization cannot use its own card keys.';
export const KEYS_REQUIRED = 'Secret and public keys are required.';
export const SECRET_KEY_NOT_VALID = 'The secret key must begin with sk_ or rk_.';
export const PUBLIC_KEY_NOT_VALID = 'The public key must begin with pk_.';
export const KEYS_OF_TWO_MODES = 'The keys must be in the same mode, both test or both live.';
export const KEYS_NOT_ACCEPTED = 'The card provider does not know this secret key.';
