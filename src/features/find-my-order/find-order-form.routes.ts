/** "Find my order" for browsers whose script is late or off. */
import { findOrdersBody } from '#src/features/find-my-order/find-orders.contract.ts';
import type { FindOrders } from '#src/features/find-my-order/find-orders.service.ts';
import type { PlainForm } from '#src/http/plain-forms.ts';
import { problem } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

export function findOrderForm({ findOrders }: { findOrders: Pick<FindOrders, 'askForOrders'> }): PlainForm {
  return {
    path: '/find-my-order',
    why: 'the answer is the same for everyone; the links go to the buyer’s own address',
    async take({ caller, fields }) {
      const asked = findOrdersBody.safeParse({ email: fields['email'] ?? '' });
      if (!asked.success) {
        const errors = errorsOf(asked.error);
        throw problem('invalid', Object.values(errors).flat()[0] ?? '', { errors });
      }
      await findOrders.askForOrders(caller, asked.data.email);
      return { to: '/find-my-order?sent=yes' };
    },
  };
}
