/** Marks that platform admins set on orders (specification A§2, A§7 "PUT /api/v1/orders/{id}"; rule 6). */
import * as z from 'zod/mini';

/** "Error Saving Order #12" (specification A§8, "Marking order"). */
export const errorSavingOrder = (id: number | string) => `Error Saving Order #${id}`;

export const markOrderBody = z.strictObject({
  order: z.strictObject({ reconciled: z.boolean({ error: 'Please send true or false here.' }) }),
});
export type MarkOrderBody = z.infer<typeof markOrderBody>;
