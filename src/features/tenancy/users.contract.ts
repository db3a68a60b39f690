/** The signed-in user, in the API and on pages. */
import * as z from 'zod/mini';

const organizationRef = z.object({ id: z.number(), name: z.string(), domain_name: z.string() });

/** A user; the organizations are in the order of joining. */
export const userAnswer = z.object({
  id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  role_id: z.number(),
  /** Whether the owner of the address has followed an emailed link (rule 53). */
  email_proven: z.boolean(),
  organizations: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      domain_name: z.string(),
      kind: z.string(),
      parent_organization_id: z.nullable(z.number()),
      parent_organization: z.nullable(organizationRef),
      free_tier: z.boolean(),
      role: z.number(),
    }),
  ),
});
export type UserAnswer = z.infer<typeof userAnswer>;
