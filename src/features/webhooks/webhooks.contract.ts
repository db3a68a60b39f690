/** Webhooks: schemas of their calls, texts and limits. */
import * as z from 'zod/mini';
import { WEBHOOK_TYPES, type WebhookType } from '#src/features/webhooks/webhook-events.contract.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema, must, tidy } from '#src/shared/validators.ts';

export const WEBHOOKS_TITLE = 'Webhooks';

export const ENDPOINTS_AT_MOST = 5;
export const URL_AT_MOST = 500;
/**
 * Attempts of one organization in a day; more have to wait. Those about organizations below it have a limit of their
 * own, of the same size.
 */
export const SENDS_A_DAY = 20_000;
/** Prevents us from flooding someone's machine with a whole day's messages. */
export const SENDS_A_MINUTE = 600;
export const TESTS_AN_HOUR = 30;
export const REPLAYS_AN_HOUR = 60;
export const REPLAYS_OF_ALL_AN_HOUR = 6;
/** How long an event is retried; the default of `webhook_deliveries.give_up_at` says the same. */
export const RETRIED_DAYS = 4;
export const LOG_DAYS = 30;
/** How long the previous secret still signs. */
export const FORMER_SECRET_HOURS = 24;
export const DELIVERIES_PER_PAGE = 25;
const MAX_PER_PAGE = 100;
/** Includes the payload and no request headers; a response is stored up to this length. */
export const ANSWER_CHARACTERS = 500;

export const URL_REQUIRED = 'Please enter the address of your receiver.';
export const URL_TOO_LONG = `At most ${URL_AT_MOST} characters, please.`;
export const URL_NOT_HTTPS = 'The address must begin with https://.';
export const URL_WITH_PASSWORD = 'The address must not contain a user name or a password.';
export const URL_WITH_HASH = 'The address must not contain #.';
export const URL_PORT = 'The address may use port 443 or 8443 only.';
export const URL_NOT_PUBLIC = 'The address must have a host name that is known on the internet.';
export const URL_OUR_OWN = 'The address must not be on this site.';
export const EVENTS_REQUIRED = 'Please choose at least one event.';
export const EVENT_UNKNOWN = 'One of the events is not known.';
export const ENDPOINT_NOT_FOUND = 'This webhook cannot be found.';
export const DELIVERY_NOT_FOUND = 'This delivery cannot be found.';
export const TOO_MANY_ENDPOINTS = `An organization can have ${ENDPOINTS_AT_MOST} webhooks. Please delete one first.`;
export const ENDPOINT_IS_OFF = 'This webhook is off. Please turn it on first.';
export const STILL_WAITING = 'This delivery is still waiting to be sent.';
export const NOTHING_FAILED = 'No delivery has failed.';
const ON_OR_OFF = 'Must be true or false.';

/** Returns all problems of an address (`webhook-address.rules.ts`). */
type AddressCheck = (url: string) => readonly string[];

const address = (problemsOf: AddressCheck) =>
  z.string({ error: URL_REQUIRED }).check(
    tidy(),
    must((text) => text !== '', URL_REQUIRED),
    must((text) => text.length <= URL_AT_MOST, URL_TOO_LONG),
    z.check<string>((context) => {
      const { value, issues } = context;
      if (value === '' || value.length > URL_AT_MOST) return;
      for (const message of problemsOf(value)) issues.push({ code: 'custom', message, input: value });
    }),
  );

/** Each once, in our own order. */
const events = z.pipe(
  z
    .array(z.enum(WEBHOOK_TYPES, { error: EVENT_UNKNOWN }), { error: EVENTS_REQUIRED })
    .check(z.minLength(1, EVENTS_REQUIRED)),
  z.transform((chosen: WebhookType[]) => WEBHOOK_TYPES.filter((type) => chosen.includes(type))),
);

/** Includes events of the organizations below it; its own events are always sent. */
const ofAffiliates = z.boolean({ error: ON_OR_OFF });

/** `POST /api/v1/organizations/{id}/webhook_endpoints`. */
export const newEndpointBody = (problemsOf: AddressCheck) =>
  z.strictObject({
    webhook_endpoint: z.strictObject({ url: address(problemsOf), events, of_affiliates: z.optional(ofAffiliates) }),
  });
export type NewEndpoint = z.output<ReturnType<typeof newEndpointBody>>['webhook_endpoint'];

/** `PUT /api/v1/webhook_endpoints/{id}`; absent fields stay. */
export const endpointChangesBody = (problemsOf: AddressCheck) =>
  z.strictObject({
    webhook_endpoint: z.strictObject({
      url: z.optional(address(problemsOf)),
      events: z.optional(events),
      of_affiliates: z.optional(ofAffiliates),
      active: z.optional(z.boolean({ error: ON_OR_OFF })),
    }),
  });
export type EndpointChanges = z.output<ReturnType<typeof endpointChangesBody>>['webhook_endpoint'];

export const endpoint = z.object({
  id: z.number(),
  organization_id: z.number(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_TYPES)),
  /** Whether it includes events of the organizations below its own. */
  of_affiliates: z.boolean(),
  active: z.boolean(),
  /** Since when every attempt has failed. */
  failing_since: z.nullable(z.string()),
  /** When it was switched off after days of failures. */
  paused_at: z.nullable(z.string()),
  /** Until when the previous secret signs, too. */
  former_secret_until: z.nullable(z.string()),
  created_at: z.string(),
});
export type Endpoint = z.infer<typeof endpoint>;

export const endpoints = z.object({ webhook_endpoints: z.array(endpoint) });

/** The only responses with the secret: of creating an endpoint, and of rotating. */
export const endpointWithSecret = z.object({ webhook_endpoint: endpoint, secret: z.string() });
export type EndpointWithSecret = z.infer<typeof endpointWithSecret>;

const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliveriesQuery = z.object({
  /** `next` of the previous page. */
  after: z.optional(idSchema),
  limit: z.optional(countUpTo(MAX_PER_PAGE)),
  state: z.optional(z.enum(DELIVERY_STATES, { error: 'Waiting, delivered or failed.' })),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;

export const delivery = z.object({
  id: z.number(),
  /** The header `webhook-id`. */
  event_id: z.string(),
  type: z.string(),
  /** Where it happened: its own organization, or one below it. */
  organization_id: z.number(),
  organization_name: z.string(),
  occurred_at: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  /** Of the last attempt; `status` is null without a response. */
  attempted_at: z.nullable(z.string()),
  status: z.nullable(z.number()),
  duration_ms: z.nullable(z.number()),
  answer: z.nullable(z.string()),
  /** When it is sent again; null unless it is waiting. */
  next_attempt_at: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

/** Newest first. */
export const deliveries = z.object({ deliveries: z.array(delivery), next: z.nullable(z.number()) });
export type Deliveries = z.infer<typeof deliveries>;

export const replayed = z.object({ replayed: z.number() });
