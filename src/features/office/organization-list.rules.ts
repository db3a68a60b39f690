/** The parameters of lists of organizations, and the contents of their rows. */
import { planOf } from '#src/features/tenancy/plans.rules.ts';
import type { OrganizationKind } from '#src/features/tenancy/organizations.contract.ts';
import { choiceLabel } from '#src/features/organization-picker/organization-choices.contract.ts';
import { SEARCH_MAX, ACCOUNT_HEADINGS } from '#src/features/office/organization-list.contract.ts';
import { ZERO, type Cents } from '#src/shared/money.ts';
import { readId } from '#src/shared/read-id.ts';

const PLAN_NAMES = { free: 'Free', premium: 'Premium', enterprise: 'Enterprise' } as const;

/** An organization as the lists of the office know it. */
export type Listed = {
  id: number;
  kind: OrganizationKind;
  name: string;
  domainName: string;
  parentId: number | null;
  parentName: string | null;
  parentDomainName: string | null;
  freeTier: boolean;
  shareBps: number;
  logoKey: string | null;
  createdAt: Date;
};

export type AccountColumn = (typeof ACCOUNT_HEADINGS)[number][0];

/** A row of Edit Accounts. */
export type AccountRow = Pick<Listed, 'id' | 'name' | 'domainName' | 'parentId' | 'parentName' | 'parentDomainName'> & {
  contactName: string | null;
  email: string | null;
};

/** The parameters of a list: search text, and the row after or before which its page starts. */
export type ListParams = { search: string; after: number | null; before: number | null };

/** Invalid parameters are ignored: a truncated address still shows the list. */
export function readListParams(query: URLSearchParams): ListParams {
  const before = readId(query.get('before'));
  return {
    search: (query.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    after: before === null ? readId(query.get('after')) : null,
    before,
  };
}

export type AccountParams = ListParams & { sort: AccountColumn; direction: 'asc' | 'desc' };

export function readAccountParams(query: URLSearchParams): AccountParams {
  const sort = ACCOUNT_HEADINGS.find(([column]) => column === query.get('sort'))?.[0] ?? 'id';
  return { ...readListParams(query), sort, direction: query.get('direction') === 'desc' ? 'desc' : 'asc' };
}

/** The address of another view of the same list; without `after` and `before` it starts on the first page. */
export function listAddress(path: string, params: Partial<AccountParams>): string {
  const query = new URLSearchParams();
  if (params.search) query.set('search', params.search);
  if (params.sort && (params.sort !== 'id' || params.direction === 'desc')) query.set('sort', params.sort);
  if (params.direction === 'desc') query.set('direction', 'desc');
  if (params.after) query.set('after', String(params.after));
  if (params.before) query.set('before', String(params.before));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A click on a heading: reverses the direction if it is the current one. */
export function sortedBy(now: AccountParams, column: AccountColumn): Partial<AccountParams> {
  const turns = now.sort === column && now.direction === 'asc';
  return { search: now.search, sort: column, direction: turns ? 'desc' : 'asc' };
}

/** One page of rows, requested with one extra row, and the positions of the next and previous pages. */
export function pageOf<Row extends { id: number }>(
  rows: readonly Row[],
  { after, before }: { after: number | null; before: number | null },
  limit: number,
): { rows: Row[]; next: number | null; previous: number | null } {
  const hasMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (before !== null) shown.reverse();
  const goesOn = before === null ? hasMore : true;
  const wentOn = before === null ? after !== null : hasMore;
  return {
    rows: shown,
    next: goesOn ? (shown.at(-1)?.id ?? null) : null,
    previous: wentOn ? (shown[0]?.id ?? null) : null,
  };
}

/** `contact_name` split into its first and its last word (specification A§3). */
export function splitContact(contactName: string | null): { first: string; last: string } {
  const words = (contactName ?? '').split(/\s+/).filter((word) => word !== '');
  return { first: words[0] ?? '', last: words.length > 1 ? (words.at(-1) ?? '') : '' };
}

type Place = { label: string; addressOf: (hostLabel: string, path: string) => string };

export type OfficeRow = ReturnType<typeof officeRow>;

/** A row of the office's list. */
export function officeRow(
  row: Listed,
  figures: { galleries: number; orders: number; owedCents: Cents } | undefined,
  { label, addressOf }: Place,
) {
  const { id, name, kind, domainName, parentId } = row;
  const isBelow = parentId !== null;
  const host = row.parentDomainName ?? domainName;
  return {
    id,
    name,
    /** At most 40 characters of the name. */
    label: choiceLabel(row),
    domainName,
    parentId,
    isRoot: kind === 'root',
    isChild: isBelow,
    plan: planName(row),
    galleries: figures?.galleries ?? 0,
    orders: figures?.orders ?? 0,
    owedCents: figures?.owedCents ?? ZERO,
    publicAddress: addressOf(host, isBelow ? `/${domainName}` : '/'),
    /** The dashboard of a child, the reports of the others. */
    dashboardAddress: addressOf(host, `/${domainName}/${isBelow ? 'dashboard' : 'report'}`),
    /** Null for the platform itself, which has no account. */
    editPath: kind === 'root' ? null : singleEditPath(label, { id, domainName, parentOrganizationId: parentId }),
  };
}

/** Parents have no plan: their affiliates pay. */
function planName(organization: Listed): string {
  if (organization.kind === 'root') return 'Main';
  if (organization.kind === 'organization') return 'Parent';
  return PLAN_NAMES[planOf(organization)];
}

export type ShownAccount = ReturnType<typeof shownAccount>;

/** A row of Edit Accounts as shown. @param label the affiliate whose page this is */
export function shownAccount(label: string, row: AccountRow) {
  const { id, name, domainName, parentId, parentName, email } = row;
  return {
    id,
    /** At most 40 characters of the organization's name; the full name is `name`. */
    label: choiceLabel(row),
    name,
    parentName,
    domainName,
    parentId,
    ...splitContact(row.contactName),
    email: email ?? '',
    editPath: singleEditPath(label, { id, domainName, parentOrganizationId: parentId }),
  };
}

/** The sort order of a column for screen readers. */
export function sortOf(params: Pick<AccountParams, 'sort' | 'direction'>, column: string) {
  if (params.sort !== column) return undefined;
  return params.direction === 'asc' ? 'ascending' : 'descending';
}

type Edited = { id: number; domainName: string; parentOrganizationId: number | null };

/**
 * The address of the Single User Update, `/{label}/user/{id}/{domainName}/{pId}/edit`; a parent is its own `pId`. `label` is the affiliate whose pages the viewer
 * comes from, or the name of the host's organization, which works on every host (rule 33).
 */
export function singleEditPath(label: string, { id, domainName, parentOrganizationId }: Edited): string {
  return `/${label}/user/${id}/${domainName}/${parentOrganizationId ?? id}/edit`;
}
