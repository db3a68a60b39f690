// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DeliveryLog } from '#src/features/webhooks/ui/delivery-log.tsx';
import type { Delivery } from '#src/features/webhooks/webhooks.contract.ts';
import { show } from '#tests/support/shown-screen.tsx';

const delivery = (id: number, organization: { id: number; name: string }): Delivery => ({
  id,
  event_id: `event-${id}`,
  type: 'order.paid',
  organization_id: organization.id,
  organization_name: organization.name,
  occurred_at: '2026-05-09T18:00:00.000Z',
  state: 'delivered',
  attempts: 1,
  attempted_at: '2026-05-09T18:00:01.000Z',
  status: 200,
  duration_ms: 20,
  answer: null,
  next_attempt_at: null,
});

test('a parent’s log names the affiliate of an event, and not itself', () => {
  const [parent, hawks] = [
    { id: 1, name: 'Lakeside Athletics' },
    { id: 2, name: 'Hawks Soccer' },
  ];
  const first = { deliveries: [delivery(8, hawks), delivery(7, parent)], next: null };
  const settings = { endpointId: 5, onlyFailed: false, isOn: true, timeZone: 'America/Chicago', ownerId: parent.id };
  show(<DeliveryLog first={first} {...settings} />);
  const [affiliates, own] = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(affiliates).toContain('An order was paidHawks Soccer');
  expect(own).toContain('An order was paid');
  expect(screen.queryByText(parent.name)).toBeNull();
});
