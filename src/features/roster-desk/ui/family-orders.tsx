import { useState } from 'react';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

type Order = { id: number; sold_at: string; total: number; of_family: boolean };

/** Orders that keep their photos whatever this family decides; hidden if there is none. */
export function FamilyOrders({ athleteId }: { athleteId: number }) {
  const [orders, setOrders] = useState<readonly Order[]>([]);
  useLoad(
    athleteId,
    (signal) => api('GET /api/v1/athletes/{id}/orders', { params: { id: athleteId }, signal }),
    (answer) => answer.ok && setOrders(answer.data.orders),
  );

  async function decide({ id: orderId, of_family: is }: Order): Promise<void> {
    const params = { id: athleteId, orderId };
    const answer = await api('PUT /api/v1/athletes/{id}/orders/{orderId}', { params, body: { of_family: !is } });
    if (answer.ok) setOrders(answer.data.orders);
    else showToast(answer.error, 'error');
  }

  if (orders.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Orders of this family</legend>
      <p className="text-sm text-pretty text-quiet">
        They keep their photos if the family does not want the child to be published. Other buyers lose them.
      </p>
      {orders.map((order) => (
        <div key={order.id} className="flex flex-wrap items-center gap-x-3 text-sm">
          <span className={order.of_family ? 'grow' : 'grow text-quiet line-through'}>
            Order {order.id}, {dollarText(order.total)}
          </span>
          <Button variant="quiet" size="small" onClick={() => void decide(order)}>
            {order.of_family ? 'Not this family’s order' : 'Undo'}
            <span className="sr-only">: order {order.id}</span>
          </Button>
        </div>
      ))}
    </fieldset>
  );
}
