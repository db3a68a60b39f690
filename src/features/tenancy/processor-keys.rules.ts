/** Which pairs of card keys match. Finds the usual mistakes: swapped fields, and a test key with a live one. */
import * as words from '#src/features/tenancy/processor-keys.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

const SECRET = /^[sr]k_(test|live)_\w{3,}$/;
const PUBLIC = /^pk_(test|live)_\w{3,}$/;

/** All problems by field. `storedMode`: the mode of the stored secret key, which a blank field keeps; null without one. */
export function problemsOfKeys(publicKey: string, secretKey: string, storedMode: 'test' | 'live' | null): FieldErrors {
  const errors: FieldErrors = {};
  const [publicMode, secretMode] = [PUBLIC.exec(publicKey)?.[1], SECRET.exec(secretKey)?.[1]];
  if (publicKey === '') errors['stripe_pk'] = [words.KEYS_REQUIRED];
  else if (publicMode === undefined) errors['stripe_pk'] = [words.PUBLIC_KEY_NOT_VALID];
  if (secretKey === '' && storedMode === null) errors['stripe_sk'] = [words.KEYS_REQUIRED];
  else if (secretKey !== '' && secretMode === undefined) errors['stripe_sk'] = [words.SECRET_KEY_NOT_VALID];
  const mode = secretKey === '' ? storedMode : secretMode;
  if (Object.keys(errors).length === 0 && publicMode !== mode) errors['stripe_pk'] = [words.KEYS_OF_TWO_MODES];
  return errors;
}

export function modeOf(key: string): 'test' | 'live' | null {
  return key.includes('_live_') ? 'live' : key.includes('_test_') ? 'test' : null;
}
