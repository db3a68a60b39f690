/** Webhooks: where an organization is told of what happens. Shapes of the calls, every word, and what limits there are. */
import * as z from 'zod/mini';
import { WEBHOOK_TYPES, type WebhookType } from '#src/features/webhooks/webhook-events.contract.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema, must, tidy } from '#src/shared/validators.ts';

export const WEBHOOKS_TITLE = 'Webhooks';

export const ENDPOINTS_AT_MOST = 5;
export const URL_AT_MOST = 500;
/** Attempts of one organization in a day: what comes on top waits. Those about organizations below it are counted apart, to as many. */
export const SENDS_A_DAY = 20_000;
/** So that no one makes us pour on a stranger's machine what a day allows. */
export const SENDS_A_MINUTE = 600;
export const TESTS_AN_HOUR = 30;
export const REPLAYS_AN_HOUR = 60;
export const REPLAYS_OF_ALL_AN_HOUR = 6;
export const LOG_DAYS = 30;
/** For how long the secret before signs, too. */
export const FORMER_SECRET_HOURS = 24;
export const DELIVERIES_PER_PAGE = 25;
const MAX_PER_PAGE = 100;
/** Without a request header and with the payload; an answer is stored up to this many characters. */
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
export const ON_OR_OFF = 'Please say true or false.';

/** Every reason why nothing may be sent there (`webhook-address.rules.ts`). */
export type AddressCheck = (url: string) => readonly string[];

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

/** Also what happens in the organizations below it; one without any is told of its own all the same. */
const ofAffiliates = z.boolean({ error: ON_OR_OFF });

/** `POST /api/v1/organizations/{id}/webhook_endpoints`. */
export const newEndpointBody = (problemsOf: AddressCheck) =>
  z.strictObject({
    webhook_endpoint: z.strictObject({ url: address(problemsOf), events, of_affiliates: z.optional(ofAffiliates) }),
  });
export type NewEndpoint = z.output<ReturnType<typeof newEndpointBody>>['webhook_endpoint'];

/** `PUT /api/v1/webhook_endpoints/{id}`; what is absent stays. */
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
  /** Whether it is told of the organizations below its own, too. */
  of_affiliates: z.boolean(),
  active: z.boolean(),
  /** Since when every attempt has failed. */
  failing_since: z.nullable(z.string()),
  /** When it was switched off because it had failed for days. */
  paused_at: z.nullable(z.string()),
  /** Until when the secret before this one signs, too. */
  former_secret_until: z.nullable(z.string()),
  created_at: z.string(),
});
export type Endpoint = z.infer<typeof endpoint>;

export const endpoints = z.object({ webhook_endpoints: z.array(endpoint) });

/** The only answers that have the secret: of making an endpoint, and of rotating. */
export const endpointWithSecret = z.object({ webhook_endpoint: endpoint, secret: z.string() });
export type EndpointWithSecret = z.infer<typeof endpointWithSecret>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliveriesQuery = z.object({
  /** `next` of the page before. */
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
  /** Where it happened: its own, or one below it. */
  organization_id: z.number(),
  organization_name: z.string(),
  occurred_at: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  /** Of the last attempt; no `status` when no answer came. */
  attempted_at: z.nullable(z.string()),
  status: z.nullable(z.number()),
  duration_ms: z.nullable(z.number()),
  answer: z.nullable(z.string()),
  /** When it is sent again; null unless it waits. */
  next_attempt_at: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof delivery>;

/** The newest first. */
export const deliveries = z.object({ deliveries: z.array(delivery), next: z.nullable(z.number()) });
export type Deliveries = z.infer<typeof deliveries>;

export const replayed = z.object({ replayed: z.number() });
