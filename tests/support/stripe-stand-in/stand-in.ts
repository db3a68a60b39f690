/**
 * A local Stripe: the product's adapter uses it through `STRIPE_API_BASE`. It follows the rules that Stripe documents,
 * has its own books, and fails when a test asks it to. Nothing of the product is imported.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createBooks, type Books, type Intent, type IntentRequest, type StripeEvent } from './books.ts';
import { nested, readForm, text, type Form } from './form.ts';
import { createKeys, type Answer } from './keys.ts';
import { missing, Refusal } from './refusal.ts';

/**
 * `drop_reply`: the work is done and the response is lost; `hang`: nor is the connection closed; `reset`: nothing is
 * done; `error_500`: nothing is done, and that is the answer of this key from now on; `slow`: answers after `ms`.
 */
export type Fault = 'drop_reply' | 'hang' | 'reset' | 'error_500' | 'error_429' | { slowMs: number };

export type StandIn = {
  url: string;
  secretKey: string;
  webhookSecret: string;
  books: Books;
  /** `from`: the header `X-Request-Id`. */
  requests: { method: string; path: string; key: string | undefined; from: string | undefined }[];
  /** The books of another account of Stripe, opened with its own key. */
  accountOf(secretKey: string): Books;
  /** The next POSTs to a path fail this way. */
  failNext(path: RegExp, fault: Fault, times?: number): void;
  /** Cancels the planned failures. */
  heal(): void;
  /** An event as Stripe sends it. */
  signed(event: StripeEvent, changes?: { secret?: string; at?: number }): { body: string; signature: string };
  close(): Promise<void>;
};

export async function startStripeStandIn(
  options: { feesLater?: boolean; hidesFromLists?: boolean } = {},
): Promise<StandIn> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  type Account = { books: Books; keys: ReturnType<typeof createKeys> };
  const open = (): Account => ({ books: createBooks({ feesLater: options.feesLater ?? false }), keys: createKeys() });
  const accounts = new Map<string, Account>([[secretKey, open()]]);
  const faults: { path: RegExp; fault: Fault; times: number }[] = [];
  const requests: StandIn['requests'] = [];

  function takeFault(method: string, path: string): Fault | null {
    const planned = faults.find((each) => each.times > 0 && method === 'POST' && each.path.test(path));
    if (!planned) return null;
    planned.times -= 1;
    return planned.fault;
  }

  async function answer(request: IncomingMessage): Promise<Answer | 'silence' | 'reset'> {
    const url = new URL(request.url ?? '/', 'http://stripe.test');
    const method = request.method ?? 'GET';
    let body = '';
    for await (const part of request) body += String(part);
    const key = request.headers['idempotency-key']?.toString();
    requests.push({ method, path: url.pathname, key, from: request.headers['x-request-id']?.toString() });
    const account = accounts.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (!account)
      throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' });
    const form = readForm(method === 'POST' ? body : url.search);
    const fault = takeFault(method, url.pathname);
    if (fault === 'reset') return 'reset';
    if (fault === 'error_429')
      throw new Refusal(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' });
    const work = async (): Promise<Answer> => {
      if (fault === 'error_500') throw new Refusal(500, { type: 'api_error', message: 'Something broke.' }, true);
      if (typeof fault === 'object' && fault) await pause(fault.slowMs);
      return { status: 200, body: handle(account.books, method, url.pathname, form, options.hidesFromLists ?? false) };
    };
    let done: Answer;
    try {
      done = method === 'POST' ? await account.keys.once(key, url.pathname, form, work) : await work();
    } catch (error) {
      if (fault !== 'drop_reply' && fault !== 'hang') throw error;
      return fault === 'hang' ? 'silence' : 'reset';
    }
    if (fault === 'hang') return 'silence';
    return fault === 'drop_reply' ? 'reset' : done;
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown): Answer => {
        if (error instanceof Refusal) return { status: error.status, body: { error: error.error } };
        return { status: 500, body: { error: { type: 'api_error', message: String(error) } } };
      })
      .then((said) => reply(response, said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    books: (accounts.get(secretKey) as Account).books,
    requests,
    accountOf(otherKey) {
      const account = accounts.get(otherKey) ?? open();
      accounts.set(otherKey, account);
      return account.books;
    },
    failNext: (path, fault, times = 1) => void faults.push({ path, fault, times }),
    heal: () => void faults.splice(0),
    signed(event, { secret = webhookSecret, at = Math.floor(Date.now() / 1000) } = {}) {
      const body = JSON.stringify(event);
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      return { body, signature: `t=${at},v1=${signature}` };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, said: Answer | 'silence' | 'reset'): void {
  if (said === 'silence') return;
  if (said === 'reset') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(said.status, {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(7).toString('hex')}`,
  });
  response.end(JSON.stringify(said.body));
}

function handle(books: Books, method: string, path: string, form: Form, hidesFromLists: boolean): unknown {
  const [, version, resource = '', id = '', action = ''] = path.split('/');
  if (version !== 'v1') throw missing('address', path, 'id');
  const expanded = Object.values(nested(form['expand'])).map(String);
  const shown = (intent: Intent) => presented(books, intent, expanded);
  switch (`${method} ${resource}${id ? '/:id' : ''}${action ? `/${action}` : ''}`) {
    case 'GET balance':
      return { object: 'balance', available: [], pending: [], livemode: false };
    case 'POST customers':
      return books.makeCustomer(text(form['email']) ?? null, text(form['name']) ?? null);
    case 'POST payment_intents':
      return shown(books.createIntent(intentRequest(form)));
    case 'POST payment_intents/:id/cancel':
      return shown(books.cancel(id));
    case 'GET payment_intents': {
      const created = nested(form['created']);
      const [from, to] = [Number(text(created['gte']) ?? 0), Number(text(created['lte']) ?? Infinity)];
      const data = hidesFromLists
        ? []
        : [...books.intents.values()].filter((intent) => intent.created >= from && intent.created <= to).toReversed();
      return { object: 'list', data: data.slice(0, 100), has_more: false, url: path };
    }
    case 'GET payment_intents/:id': {
      if (id !== 'search') return shown(books.intent(id));
      const [, name = '', value = ''] = /metadata\['(.+)'\]:'(.+)'/.exec(text(form['query']) ?? '') ?? [];
      const data = hidesFromLists
        ? []
        : [...books.intents.values()].filter((intent) => intent.metadata[name] === value);
      return { object: 'search_result', data, has_more: false, next_page: null, url: path };
    }
    case 'GET charges/:id': {
      const charge = books.charges.get(id);
      if (!charge) throw missing('charge', id, 'id');
      return charge;
    }
    case 'GET events': {
      const types = Object.values(nested(form['types'])).map(String);
      const from = Number(text(nested(form['created'])['gte']) ?? 0);
      const data = books.events.filter((event) => event.created >= from && types.includes(event.type)).toReversed();
      return { object: 'list', data: data.slice(0, 100), has_more: false, url: path };
    }
    case 'POST refunds':
      return books.refund(
        text(form['payment_intent']) ?? '',
        form['amount'] === undefined ? null : Number(form['amount']),
        nested(form['metadata']) as Record<string, string>,
      );
    case 'GET refunds':
      return pageOf(
        books.refunds.filter((refund) => refund.payment_intent === text(form['payment_intent'])),
        form,
        path,
      );
    case 'GET payouts':
      return pageOf(
        books.payouts.filter((payout) => isWithin(payout, form)),
        form,
        path,
      );
    case 'GET balance_transactions': {
      const payout = text(form['payout']);
      const lines = books.movements.filter((line) =>
        payout === undefined ? isWithin(line, form) : line.payout === payout,
      );
      const page = pageOf(lines, form, path);
      return { ...page, data: page.data.map((line) => ({ ...line, source: sourceOf(books, line.source) })) };
    }
    case 'GET disputes':
      return {
        object: 'list',
        data: [...books.disputes.values()].filter((each) => each.payment_intent === text(form['payment_intent'])),
        has_more: false,
        url: path,
      };
    case 'GET disputes/:id': {
      const dispute = books.disputes.get(id);
      if (!dispute) throw missing('dispute', id, 'id');
      return dispute;
    }
    case 'GET tokens/:id': {
      const token = books.tokens.get(id);
      if (!token) throw missing('token', id, 'id');
      return { id, object: 'token', type: 'card', used: token.used, card: token.card };
    }
    default:
      throw new Refusal(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${path}).`,
      });
  }
}

const isWithin = ({ created }: { created: number }, form: Form): boolean => {
  const span = nested(form['created']);
  return created >= Number(text(span['gte']) ?? 0) && created < Number(text(span['lt']) ?? Infinity);
};

/** Lists are newest first, `limit` at a time, after `starting_after`. */
function pageOf<T extends { id: string }>(all: readonly T[], form: Form, url: string) {
  const newest = all.toReversed();
  const after = text(form['starting_after']);
  const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  const data = newest.slice(start, start + Number(text(form['limit']) ?? 10));
  return { object: 'list', data, has_more: start + data.length < newest.length, url };
}

/** A charge carries the metadata of its intent; a dispute its intent. */
function sourceOf(books: Books, id: string): unknown {
  const charge = books.charges.get(id);
  if (charge) return { ...charge, metadata: books.intent(charge.payment_intent).metadata };
  return books.refunds.find((refund) => refund.id === id) ?? books.disputes.get(id) ?? id;
}

function intentRequest(form: Form): IntentRequest {
  const data = nested(form['payment_method_data']);
  return {
    amount: Number(form['amount']),
    confirm: form['confirm'] === 'true',
    metadata: nested(form['metadata']) as Record<string, string>,
    description: text(form['description']) ?? null,
    customer: text(form['customer']) ?? null,
    keepsCard: form['setup_future_usage'] === 'off_session',
    offSession: form['off_session'] === 'true',
    paymentMethod: text(form['payment_method']) ?? null,
    cardToken: text(nested(data['card'])['token']) ?? text(form['confirmation_token']) ?? null,
  };
}

function presented(books: Books, intent: Intent, expanded: readonly string[]): unknown {
  const charge = books.charges.get(intent.latest_charge ?? '');
  if (!charge || !expanded.some((field) => field.startsWith('latest_charge'))) return intent;
  return { ...intent, latest_charge: structuredClone(charge) };
}
