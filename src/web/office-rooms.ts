/**
 * The rooms of the platform's office in the order of their links. Whoever adds one of these pages to `routes.ts` sets its
 * `stands`; `office-rooms.test.ts` compares both.
 */
export type OfficeRoom = {
  label: string;
  /** As in `routes.ts`. */
  page: string;
  /** A link whose page is not built yet is never shown. */
  stands: boolean;
};

export const OFFICE_ROOMS: readonly OfficeRoom[] = [
  { label: 'Sales', page: 'admin-report', stands: true },
  { label: 'Pay-outs', page: 'admin/pay-outs', stands: true },
  { label: 'Refunds', page: 'admin/refunds', stands: true },
  { label: 'Reconciliation', page: 'admin/reconciliation', stands: true },
  { label: 'Organizations', page: 'admin/organizations', stands: true },
  { label: 'Promo codes', page: 'admin/promo-codes', stands: true },
  { label: 'Audit log', page: 'admin/audit-log', stands: true },
  { label: 'New Org', page: 'new-org', stands: true },
];
