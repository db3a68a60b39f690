/** Orders that count as placed by a child's family, and members who say that one does not (decision record 0117). */
import * as z from 'zod/mini';
import { idSchema } from '#src/shared/validators.ts';

export const ORDERS_SHOWN = 50;
export const ORDER_OF_NO_FAMILY = 'This order is not one of this family’s.';
const OF_FAMILY_EXPECTED = 'Must be true or false.';

export const orderParams = z.object({ id: idSchema, orderId: idSchema });
export const familyOrders = z.object({
  orders: z.array(
    z.object({
      id: z.number(),
      sold_at: z.string(),
      total: z.number(),
      /** False when a member said that it is not. */
      of_family: z.boolean(),
    }),
  ),
});
export type FamilyOrders = z.infer<typeof familyOrders>;
export const ofFamilyBody = z.strictObject({ of_family: z.boolean({ error: OF_FAMILY_EXPECTED }) });
