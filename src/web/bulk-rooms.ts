/**
 * Beside the bar: what platform admins do for many accounts or galleries at once, on the pages of a child organisation
 * (specification A§2).
 */
export type BulkRoom = {
  label: string;
  /** The last part of its address, as `routes.ts` has it. */
  page: string;
};

export const BULK_ROOMS: readonly BulkRoom[] = [
  { label: 'Edit Accounts', page: 'edit-bulk-users' },
  { label: 'Create Bulk Accounts', page: 'create-bulk-users' },
  { label: 'Accounts from CSV', page: 'bulk-users-csv' },
  { label: 'Create Bulk Gallery', page: 'create-bulk-gallery' },
  { label: 'Galleries from CSV', page: 'bulk-gallery-csv' },
];
