/** The messages of webhooks for the API's document, from which receivers generate their types. */
import * as z from 'zod/mini';
import {
  TEST_TYPE,
  WEBHOOK_DATA,
  WEBHOOK_EVENTS,
  WEBHOOK_TYPES,
  webhookPayload,
} from '#src/features/webhooks/webhook-events.contract.ts';

/** Fields may be added at any time, so the schemas of receivers must allow unknown ones. */
function schemaOf(type: keyof typeof WEBHOOK_DATA) {
  const message = z.extend(webhookPayload, { type: z.literal(type), data: WEBHOOK_DATA[type] });
  return z.toJSONSchema(message, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      delete jsonSchema.$schema;
    },
  });
}

export function webhookMessages() {
  return [
    ...WEBHOOK_TYPES.map((type) => ({ type, summary: WEBHOOK_EVENTS[type], body: schemaOf(type) })),
    { type: TEST_TYPE, summary: 'Someone sent a test event', body: schemaOf(TEST_TYPE) },
  ];
}
