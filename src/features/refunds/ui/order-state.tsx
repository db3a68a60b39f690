import { ORDER_STATES, type OrderCard } from '#src/features/refunds/order-lists.rules.ts';
import { Badge } from '#src/ui/badge.tsx';

const TONES = {
  pending: 'neutral',
  failed: 'neutral',
  paid: 'success',
  partially_refunded: 'warning',
  refunded: 'neutral',
  disputed: 'danger',
} as const;

export function OrderState({ status }: Pick<OrderCard, 'status'>) {
  return <Badge tone={TONES[status]}>{ORDER_STATES[status]}</Badge>;
}
