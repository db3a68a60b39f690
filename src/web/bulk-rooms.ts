/**
 * Beside the bar: what platform admins do for many accounts or galleries at once, on the pages of a child organisation
 * (specification A§2). Whoever adds one of these pages to `routes.ts` sets its `stands`; `office-rooms.test.ts` compares both.
 */
export type BulkRoom = {
  label: string;
  /** The last part of its address, as `routes.ts` has it. */
  page: string;
  stands: boolean;
};

export const BULK_ROOMS: readonly BulkRoom[] = [
  { label: 'Edit Accounts', page: 'edit-bulk-users', stands: true },
  { label: 'Create Bulk Accounts', page: 'create-bulk-users', stands: true },
  { label: 'Accounts from CSV', page: 'bulk-users-csv', stands: false },
  { label: 'Create Bulk Gallery', page: 'create-bulk-gallery', stands: false },
  { label: 'Galleries from CSV', page: 'bulk-gallery-csv', stands: false },
];
