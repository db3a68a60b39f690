/** Organizations to choose from, in forms of platform admins (specification A§2, 9) and of members of a parent. */
import * as z from 'zod/mini';
import { idSchema } from '#src/shared/validators.ts';

/** The length of a list; typing more narrows it. */
export const CHOICES_AT_ONCE = 20;
const MAX_CHOICE_CHARACTERS = 40;
export const UNKNOWN_ORGANIZATION = 'Unknown Organization';
const SEARCH_TOO_LONG = 'At most 200 characters, please.';
export const CHOICES_ARE_FOR_ADMINS = 'Only platform administrators can choose from all organizations.';
/**
 * Accounts are opened below parents, galleries belong to the affiliates below them. Sellers are whose orders there may be:
 * both, also deleted ones.
 */
const CHOICE_KINDS = ['parents', 'affiliates', 'sellers'] as const;
export type ChoiceKind = (typeof CHOICE_KINDS)[number];

export const choicesQuery = z.object({
  of: z.enum(CHOICE_KINDS, { error: 'Choose parents, affiliates or sellers.' }),
  q: z.optional(z.string().check(z.trim(), z.maxLength(200, SEARCH_TOO_LONG))),
  /** Only those below this parent; among sellers, also the parent itself. */
  parent_id: z.optional(idSchema),
});

export const organizationChoice = z.object({
  id: z.number(),
  name: z.string(),
  domain_name: z.string(),
  parent_organization_id: z.nullable(z.number()),
  parent_name: z.nullable(z.string()),
  /** Scheme and host of its pages. */
  site: z.string(),
  /** Left out unless it is true; only sellers can be. */
  deleted: z.optional(z.boolean()),
  free_tier: z.boolean(),
  /** Dollars. */
  default_photo_price: z.number(),
});
export type OrganizationChoice = z.infer<typeof organizationChoice>;

/** At most 40 characters; a longer name ends with an ellipsis. */
export function choiceLabel(organization: { name?: string | null } | null): string {
  const name = organization?.name?.trim() ?? '';
  if (name === '') return UNKNOWN_ORGANIZATION;
  const letters = [...name];
  return letters.length > MAX_CHOICE_CHARACTERS
    ? `${letters.slice(0, MAX_CHOICE_CHARACTERS).join('').trimEnd()}…`
    : name;
}
