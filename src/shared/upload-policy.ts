/** A signed upload form, as `POST /api/v1/policy` returns it. */
import * as z from 'zod/mini';

/** How long a signed form is valid, by the server's clock. */
export const POLICY_MINUTES = 10;

/** Every field except `error` and `url` goes into the form unchanged; `file` is the last. */
export const policyAnswer = z.looseObject({
  error: z.literal(false),
  url: z.string(),
  key: z.string(),
  acl: z.string(),
  'Content-Type': z.string(),
  success_action_status: z.string(),
  policy: z.string(),
});
export type PolicyAnswer = z.infer<typeof policyAnswer>;
