/** The rooms of the platform's office in the order of their links. `office-rooms.test.ts` compares them with `routes.ts`. */
export type OfficeRoom = {
  label: string;
  /** As in `routes.ts`. */
  page: string;
};

export const OFFICE_ROOMS: readonly OfficeRoom[] = [
  { label: 'Sales', page: 'admin-report' },
  { label: 'Pay-outs', page: 'admin/pay-outs' },
  { label: 'Refunds', page: 'admin/refunds' },
  { label: 'Reconciliation', page: 'admin/reconciliation' },
  { label: 'Organizations', page: 'admin/organizations' },
  { label: 'Promo codes', page: 'admin/promo-codes' },
  { label: 'Audit log', page: 'admin/audit-log' },
  { label: 'New Org', page: 'new-org' },
];
