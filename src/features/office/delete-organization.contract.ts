/** Deleting an organization: reasons for refusal, and texts of the pages (rule 26; specification A§8). */
import * as z from 'zod/mini';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';
import { idSchema } from '#src/shared/validators.ts';

export { ORGANIZATION_NOT_FOUND };
export const CONFIRM_DELETION = 'Confirm User Deletion';
export const ORGANIZATION_DELETED = 'Organization deleted successfully';
export const DELETION_FAILED = 'Failed to delete organization';
export const DELETION_ERROR = 'Error deleting organization';

export const MAIN_STAYS = 'The main organization cannot be deleted.';
export const HAS_AFFILIATES = 'It has affiliates. Delete those first.';
export const ORDER_IS_PENDING = 'An order is being paid right now. Please try again in a few minutes.';
export const PAYOUT_IS_UNDER_WAY = 'A payout to it is in progress. Wait until it is confirmed.';
export const DISPUTE_IS_OPEN = 'A buyer’s bank disputes one of its charges. Wait for the decision.';
export const isOwed = (amount: Cents) => `It is owed ${formatDollars(amount)}. Pay it out first.`;
export const owesUs = (amount: Cents) =>
  `It owes Sideline ${formatDollars(amount)}. Settle that first, among the payouts.`;
export const hasUnspentCredit = (amount: Cents) =>
  `Families have ${formatDollars(amount)} of prepaid credit left with it. Refund that first.`;
export const severalNamed = (name: string) =>
  `More than one organization is called “${name}”. Name its parent with org_id.`;

/** `org_id` is the parent's id, as in `GET /api/v1/affiliates/{domainName}?org_id=`; for a parent its own. */
export const deleteOrganizationQuery = z.object({ org_id: z.optional(idSchema) });
