/**
 * People who use the site while its parts are killed: some look at pages, some buy, some upload. Each does what a
 * browser does: without an answer it sends the same request again, under the same key, until it is acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '#tests/load/made-owner.ts';
import type { StandIn } from '#tests/support/stripe-stand-in/stand-in.ts';

export type Shop = { organizationId: number; domainName: string; galleryId: number; photoIds: readonly number[] };

/** The price of an acknowledged order: a photo and a donation, in cents. */
export const ORDER_CENTS = 900;

export type Acknowledged<Key> = { key: Key; sentAt: number; acknowledgedAt: number; attempts: number };
/** `saysSo`: our own page that says that it will be right back, and retries. */
type PageView = { path: string; askedAt: number; answeredAt: number; status: number | string; saysSo: boolean };

export type People = {
  pages: PageView[];
  /** By checkout key, with the address of the receipt. */
  orders: Acknowledged<{ checkoutKey: string; vanityId: string }>[];
  /** By the photo's name. */
  uploads: Acknowledged<string>[];
  /** Why tries were not acknowledged, and how often. */
  troubles: Map<string, number>;
  /** Lets everyone finish what they began. Throws if something was never acknowledged. */
  leave(): Promise<void>;
};

type Place = { url: string; shop: Shop; owner: Owner; cards: StandIn; picture: (seed: number) => Promise<Buffer> };

const READERS = 4;
const BUYERS = 3;
const UPLOADERS = 2;
const PAGE_PAUSE_MS = 150;
const ORDER_PAUSE_MS = 500;
const UPLOAD_PAUSE_MS = 1_200;
const TRY_AGAIN_MS = 300;
/** As long as a browser's user waits; then the same is sent again. */
const ANSWER_WITHIN_MS = 20_000;
const ACKNOWLEDGED_WITHIN_MS = 300_000;

export function letPeopleIn(place: Place): People {
  const people: Omit<People, 'leave'> = { pages: [], orders: [], uploads: [], troubles: new Map() };
  const insist = insistent(people.troubles);
  let isOpen = true;
  const lane = async (pauseMs: number, visit: (turn: number) => Promise<void>) => {
    for (let turn = 0; isOpen; turn++) {
      await visit(turn);
      await sleep(pauseMs);
    }
  };
  const many = (count: number, pauseMs: number, visit: (lane: number, turn: number) => Promise<void>) =>
    Array.from({ length: count }, (_, number) => lane(pauseMs, (turn) => visit(number, turn)));
  const lanes = [
    ...many(READERS, PAGE_PAUSE_MS, async (number, turn) => void people.pages.push(await look(place, number + turn))),
    ...many(
      BUYERS,
      ORDER_PAUSE_MS,
      async (number, turn) =>
        void people.orders.push(await buy(place, insist, `checkout-of-the-fleet-test-${number}-${turn}`)),
    ),
    ...many(
      UPLOADERS,
      UPLOAD_PAUSE_MS,
      async (number, turn) => void people.uploads.push(await upload(place, insist, number * 100_000 + turn)),
    ),
  ];
  // `leave` reports those who give up.
  for (const each of lanes) each.catch(() => undefined);
  return {
    ...people,
    async leave() {
      isOpen = false;
      await Promise.all(lanes);
    },
  };
}

/** Every other page is one that is never cached: it is rendered, with queries to the database. */
async function look({ url, shop }: Place, turn: number): Promise<PageView> {
  const askedAt = Date.now();
  const page = turn % 4 < 2 ? `/${shop.domainName}/gallery/${shop.galleryId}` : `/${shop.domainName}`;
  const path = turn % 2 === 0 ? page : `${page}?visit=${askedAt}-${turn}`;
  try {
    const answer = await fetch(url + path, {
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    });
    const saysSo = (await answer.text()).includes('We’ll be right back.');
    return { path, askedAt, answeredAt: Date.now(), status: answer.status, saysSo };
  } catch (error) {
    return { path, askedAt, answeredAt: Date.now(), status: reasonOf(error), saysSo: false };
  }
}

type Insist = <Key>(what: string, attempt: () => Promise<Key>) => Promise<Acknowledged<Key>>;

/** Repeats until an attempt succeeds. */
const insistent =
  (troubles: Map<string, number>): Insist =>
  async (what, attempt) => {
    const sentAt = Date.now();
    let last = '';
    for (let attempts = 1; Date.now() - sentAt < ACKNOWLEDGED_WITHIN_MS; attempts++, await sleep(TRY_AGAIN_MS)) {
      try {
        return { key: await attempt(), sentAt, acknowledgedAt: Date.now(), attempts };
      } catch (error) {
        last = reasonOf(error).replace(/,"request_id".*/s, '');
        troubles.set(last, (troubles.get(last) ?? 0) + 1);
      }
    }
    throw new Error(`${what} was never acknowledged: ${last}`);
  };

function buy({ url, shop, cards }: Place, insist: Insist, checkoutKey: string) {
  const email = `${checkoutKey}@buyers.test`;
  const user = { first_name: 'Ada', last_name: 'Byron', email, confirm_email: email, zip: '55401' };
  const order = {
    user,
    donation: '$5.00',
    taxes: 0,
    subtotal: 4,
    org_id: shop.organizationId,
    donation_gallery_id: shop.galleryId,
    checkout_key: checkoutKey,
  };
  const items = [{ id: shop.photoIds[0], gallery_id: shop.galleryId, sales_price: 4 }];
  return insist(checkoutKey, async () => {
    const answer = await fetch(`${url}/api/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order, stripe_token: { id: cards.books.makeToken('4242424242424242') }, items }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await answer.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      vanity_id?: string;
      status?: string;
      error?: string;
    };
    if (body.status === 'paid' && body.vanity_id !== undefined) return { checkoutKey, vanityId: body.vanity_id };
    throw new Error(`an order was answered ${answer.status}: ${body.error ?? body.status ?? text.slice(0, 80)}`);
  });
}

/**
 * A stored file is claimed under its key until it succeeds; if an earlier try without an answer claimed it, the answer
 * is 409.
 */
async function upload({ shop, owner, picture }: Place, insist: Insist, seed: number): Promise<Acknowledged<string>> {
  const [bytes, name] = [await picture(seed), `photo ${seed}`];
  let key: string | null = null;
  return insist(name, async () => {
    key ??= await owner.store(shop.galleryId, bytes, 'photo.jpg');
    try {
      await owner.claim(shop.galleryId, key, name);
    } catch (error) {
      if (!reasonOf(error).includes('answered 409')) throw error;
    }
    return name;
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
