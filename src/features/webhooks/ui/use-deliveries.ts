import { useState } from 'react';
import type { Deliveries, Delivery } from '#src/features/webhooks/webhooks.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';
import { useMoreRows, type Place } from '#src/web/use-more-rows.ts';

const POLL_EVERY_MS = 1_500;
/** After this many reloads it stops; the log has the delivery later. */
const POLLS_AT_MOST = 8;

/** The log, paged by key. It is reloaded until a requested delivery was sent. */
export function useDeliveries(first: Deliveries, endpointId: number, onlyFailed: boolean) {
  const load = (place: Place) =>
    api('GET /api/v1/webhook_endpoints/{id}/deliveries', {
      params: { id: endpointId },
      query: { ...place, ...(onlyFailed ? { state: 'failed' } : {}) },
    });
  const { rows, setRows, more } = useMoreRows(first, 'deliveries', load);
  const [pollsLeft, setPollsLeft] = useState(0);

  /** Updates rows; new ones come first. */
  function merge(fresh: readonly Delivery[]): void {
    setRows((known) => {
      const byId = new Map(fresh.map((row) => [row.id, row]));
      const knownIds = new Set(known.map(({ id }) => id));
      return [...fresh.filter(({ id }) => !knownIds.has(id)), ...known.map((row) => byId.get(row.id) ?? row)];
    });
  }

  async function poll(): Promise<void> {
    const answer = await load({});
    if (answer.ok) merge(answer.data.deliveries);
    const isOver = answer.ok && answer.data.deliveries.every(({ state }) => state !== 'waiting');
    setPollsLeft((left) => (isOver ? 0 : left - 1));
  }
  useRepeated(POLL_EVERY_MS, pollsLeft > 0 ? poll : null);

  return { rows, more, merge, watch: () => setPollsLeft(POLLS_AT_MOST) };
}
