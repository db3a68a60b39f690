/** Erasing a person's data: what is erased, what stays and why. */
import * as z from 'zod/mini';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';

/** In place of the name of an imported file. One that was called `erased` has `.csv` after it. */
export const FILE_NAME_ERASED = 'erased';

export const ERASURES_TITLE = 'Erase a person';
export const NOTHING_KEPT = 'Nothing is kept under this email address.';
export const NOT_REQUESTED = 'This person no longer asks for it, or may still withdraw it.';
export const OWN_ACCOUNT = 'Another platform admin has to erase your account.';
export const ORDER_IN_PROGRESS = 'An order of this person is being paid. Please try again in a few minutes.';
export const onlyAdministrator = (name: string) =>
  `${name} has no other administrator: give someone else access first, or delete the organization.`;
export const paysForPlan = (name: string) =>
  `Pays for the plan of ${name}: first stop its renewal in the organization’s settings, under Plan.`;

/** Found by the address that is asked for, which an account had before. Someone else may read its emails today. */
export const changedTo = (email: string) =>
  `An account had this address before. Its address is now ${email}. If it is this person’s account, erase that address, too.`;
export const changedFrom = (email: string) =>
  `This account had the address ${email} before. Orders and photos under it stay unless you erase it, too.`;

export const erasureBody = z.strictObject({
  email: z.string({ error: INVALID_EMAIL }).check(z.trim(), z.refine(isEmail, { error: INVALID_EMAIL })),
  dry_run: z.optional(z.boolean()),
  /** Only if the person has asked for it on their account page, and has not withdrawn that. */
  requested: z.optional(z.boolean()),
});
export type ErasureBody = z.infer<typeof erasureBody>;

const line = z.object({ what: z.string(), rows: z.number() });
export const erasureAnswer = z.object({
  dry_run: z.boolean(),
  /** What was emptied, replaced with "erased" or deleted. */
  goes: z.array(line),
  /** What is kept, and why. */
  stays: z.array(z.object({ what: z.string(), rows: z.nullable(z.number()), why: z.string() })),
  /** Other addresses of the account; only before the erasure, whose report names no one. */
  notes: z.array(z.string()),
  /** Why nothing can be erased yet. */
  blocked: z.array(z.string()),
});
export type ErasureAnswer = z.infer<typeof erasureAnswer>;
