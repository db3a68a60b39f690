/** "Find my order" for browsers whose script is late or off. */
import { findOrdersBody } from '#src/features/orders/find-orders.contract.ts';
import type { OrderService } from '#src/features/orders/orders.service.ts';
import type { PlainForm } from '#src/http/plain-forms.ts';
import { problem } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

export function findOrderForm({ orders }: { orders: Pick<OrderService, 'askForOrders'> }): PlainForm {
  return {
    path: '/find-my-order',
    why: 'the same is said to everybody; the links go to the buyer’s own address',
    async take({ caller, fields }) {
      const asked = findOrdersBody.safeParse({ email: fields['email'] ?? '' });
      if (!asked.success) {
        const errors = errorsOf(asked.error);
        throw problem('invalid', Object.values(errors).flat()[0] ?? '', { errors });
      }
      await orders.askForOrders(caller, asked.data.email);
      return { to: '/find-my-order?sent=yes' };
    },
  };
}
