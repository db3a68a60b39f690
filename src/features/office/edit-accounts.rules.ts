/** How a row of Edit Accounts reads, and what its address says. */
import { splitContact, type AccountParams, type AccountRow } from '#src/features/office/organization-list.rules.ts';
import { choiceLabel } from '#src/features/organization-picker/organization-choices.rules.ts';
import { singleEditPath } from '#src/features/office/single-edit-path.rules.ts';

export type ShownAccount = {
  id: number;
  /** At most 40 characters of the organization's name; the whole is `name`. */
  label: string;
  name: string;
  parentName: string | null;
  domainName: string;
  parentId: number | null;
  first: string;
  last: string;
  email: string;
  editPath: string;
};

/** @param label the affiliate whose page this is */
export function shownAccount(label: string, row: AccountRow): ShownAccount {
  const { id, name, domainName, parentId, parentName, email } = row;
  return {
    id,
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

/** What a screen reader says of a column's heading. */
export function sortOf(params: Pick<AccountParams, 'sort' | 'direction'>, column: string) {
  if (params.sort !== column) return undefined;
  return params.direction === 'asc' ? 'ascending' : 'descending';
}
