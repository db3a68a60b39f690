/**
 * How often a password may be tried. A login has three limits: all tries of a sender, failures of a sender at one account, and
 * failures at one account from anywhere (`sign-in/logins.service.ts`).
 */
import { DAY_SECONDS } from '#src/shared/dates.ts';

const MINUTE_SECONDS = 60;
/** More than anyone mistypes, and 36,500 guesses a year against passwords of which the 10,000 most common are refused. */
const FAILURES_A_DAY = 100;

/** Logins of one sender, successful or not. */
export const loginsOf = (ip: string) => ({ bucket: `login:ip:${ip}`, limit: 60, windowSeconds: MINUTE_SECONDS });

/** Wrong passwords of one sender at one account; a right one clears them (bad input 26). */
export const failuresOf = (ip: string, email: string) => ({
  bucket: `login:failed:${ip}:${email}`,
  limit: 10,
  windowSeconds: MINUTE_SECONDS,
});

/** Wrong passwords at one account from browsers that it does not know. */
export const failuresOfAccount = (email: string) => ({
  bucket: `login:account:${email}`,
  limit: FAILURES_A_DAY,
  windowSeconds: DAY_SECONDS,
});

/** Wrong passwords from one browser that has logged in to the account before. */
export const failuresOfKnownBrowser = (nonce: string) => ({
  bucket: `login:device:${nonce}`,
  limit: FAILURES_A_DAY,
  windowSeconds: DAY_SECONDS,
});

/** The email to the owner of an account whose daily failures are used up. */
export const warningsOf = (email: string) => ({ bucket: `login:told:${email}`, limit: 1, windowSeconds: DAY_SECONDS });

/** Passwords that a signed-in user types again, right or wrong. */
export const confirmationsOf = (userId: number) => ({
  bucket: `confirm:${userId}`,
  limit: 10,
  windowSeconds: MINUTE_SECONDS,
});

/**
 * The wrong ones of these: a stolen session allows only this many guesses a day; the owner can log in again, which also
 * confirms.
 */
export const wrongConfirmationsOf = (userId: number) => ({
  bucket: `confirm:failed:${userId}`,
  limit: FAILURES_A_DAY,
  windowSeconds: DAY_SECONDS,
});
