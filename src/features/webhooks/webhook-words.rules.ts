/** Texts about webhooks: the state of an endpoint, the result of a delivery; and the addresses of their pages. */
import { TEST_TYPE, WEBHOOK_EVENTS } from '#src/features/webhooks/webhook-events.contract.ts';
import type { Delivery, Endpoint } from '#src/features/webhooks/webhooks.contract.ts';

export const webhooksPath = (affiliate: string): string => `/${affiliate}/webhooks`;
export const webhookPath = (affiliate: string, id: number): string => `${webhooksPath(affiliate)}/${id}`;

type Tone = 'success' | 'neutral' | 'warning' | 'danger' | 'accent';

export function statusOf(endpoint: Pick<Endpoint, 'active' | 'paused_at' | 'failing_since'>): {
  word: string;
  tone: Tone;
} {
  if (endpoint.paused_at !== null) return { word: 'Paused', tone: 'danger' };
  if (!endpoint.active) return { word: 'Off', tone: 'neutral' };
  return endpoint.failing_since === null ? { word: 'On', tone: 'success' } : { word: 'Failing', tone: 'warning' };
}

/** "An order was paid" for `order.paid`. */
export function eventWords(type: string): string {
  if (type === TEST_TYPE) return 'A test';
  const words: Readonly<Record<string, string>> = WEBHOOK_EVENTS;
  return words[type] ?? type;
}

export function outcomeOf({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): { word: string; tone: Tone } {
  if (state === 'delivered') return { word: 'Delivered', tone: 'success' };
  if (state === 'failed') return { word: 'Failed', tone: 'danger' };
  return attempts === 0 ? { word: 'Waiting', tone: 'neutral' } : { word: 'Waiting to try again', tone: 'warning' };
}

/** "200", or why there is no status. */
export const statusWords = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): string =>
  status === null ? (attempts === 0 ? 'Not sent yet' : 'No answer') : String(status);

export const durationWords = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;

/** Only the host, because addresses are long. */
export const hostWords = (url: string): string => URL.parse(url)?.host ?? url;
