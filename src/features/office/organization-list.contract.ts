/** Lists of organizations: for search boxes, for programs of platform admins, and for the office's pages. */
import * as z from 'zod/mini';
import { ORGANIZATION_KINDS, organizationForSearch } from '#src/features/tenancy/organizations.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

/** Specification A§9. */
export const ACCOUNTS_PER_PAGE = 25;

/** Parents and affiliates per page of the office's list. */
export const ORGANIZATIONS_PER_PAGE = 50;
const MAX_LIST_LIMIT = 1_000;
export const SEARCH_MAX = 100;
/** Counting stops here. */
export const COUNTED_UP_TO = 10_000;

/** One line of `GET /api/v1/organizations` for a platform admin. */
export const organizationInList = z.object({
  ...organizationForSearch.shape,
  kind: z.optional(z.enum(ORGANIZATION_KINDS)),
  parent_organization_id: z.optional(z.nullable(z.number())),
});
const LIMIT_WORDS = `Limit must be a number from 1 to ${MAX_LIST_LIMIT}.`;

/** All optional; without `limit` and `after` platform admins get the whole list. */
export const organizationListQuery = z.object({
  for_search: z.optional(z.string()),
  /** Part of a name or of an address, or an id. */
  q: z.optional(z.string().check(z.maxLength(SEARCH_MAX, `At most ${SEARCH_MAX} characters, please.`))),
  /** The id of the last one of the previous page. */
  after: z.optional(idSchema),
  limit: z.optional(
    z.coerce
      .number({ error: LIMIT_WORDS })
      .check(z.int(LIMIT_WORDS), z.gte(1, LIMIT_WORDS), z.lte(MAX_LIST_LIMIT, LIMIT_WORDS)),
  ),
});

/** Texts of Edit Accounts (specification A§2, "Edit Accounts"). */
export const EDIT_ACCOUNTS_TITLE = 'Edit Accounts';
export const SEARCH_ACCOUNTS = 'Search by name, email or ID';
export const DELETE_ACCOUNT = 'Delete';

/** Headings in order; the last column, Action, is not sortable. */
export const ACCOUNT_HEADINGS = [
  ['id', 'ID'],
  ['organization', 'Organization'],
  ['first_name', 'First Name'],
  ['last_name', 'Last Name'],
  ['email', 'Email'],
] as const;
