/** Everything that grants access, used as people use it, and then searched for in the whole log. */
import { beforeAll, expect, test } from 'vitest';
import { buyPhotos, openSale, type ForSale } from '#tests/support/bought-photos.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { addPhoto, cookieOf, untilDecided } from '#tests/support/photo-uploads.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const lines: string[] = [];
const server = useTestServer({
  works: true,
  pages: true,
  logLines: lines,
  // Every statement and every call counts as slow and is logged.
  env: { SLOW_STATEMENT_MS: '1', RATE_LIMIT_FACTOR: '1000', APP_SECRET: 'a secret of the whole installation, 26' },
});
const CARD = '4242424242424242';
const GALLERY_PASSWORD = 'under the bleachers';
const NEW_PASSWORD = 'nineteen nimble newts';
/** By what it is. */
const secrets = new Map<string, string>([
  ['password', TEST_PASSWORD],
  ['new password', NEW_PASSWORD],
  ['wrong password', 'wrong password of someone'],
  ['password of a gallery', GALLERY_PASSWORD],
  ['card number', CARD],
  ['secret card key', 'sk_test_9876nobodyreads'],
  ['secret of the installation', 'a secret of the whole installation, 26'],
]);
let people: Neighborhood;
let sale: ForSale;

type Request = Parameters<typeof server.call>[0] & { url: string };

async function call(request: Request, ...expected: number[]) {
  const answer = await server.call({ method: 'POST', ...request });
  if (expected.length > 0) expect(expected, `${request.url} ${answer.body.slice(0, 300)}`).toContain(answer.statusCode);
  return answer;
}
const post = (url: string, payload: object, as: string | null = null) => call({ url, payload, as });
const get = (url: string, headers: Record<string, string> = {}) =>
  call({ method: 'GET', url, headers: { host: `${people.parent.path}.sideline.localhost:3000`, ...headers } });
const keep = (what: string, secret: string | null | undefined) => {
  expect(secret?.length ?? 0, what).toBeGreaterThan(8);
  secrets.set(what, String(secret));
  return String(secret);
};

beforeAll(async () => {
  people = await settleNeighborhood(server);
  for (const [name, token] of Object.entries(people.tokens)) keep(`session of ${name}`, token);
  keep('address of the database', server.data.appUrl);
  sale = await openSale(server, people.tokens.owner, people.hawks.id);
});

/** Logs in and out, with a browser and without, and by the link of an email. */
async function usePasswords(): Promise<void> {
  const { owner } = people.emails;
  const loggedIn = await post('/login', { user: { email: owner, password: TEST_PASSWORD } });
  const token = keep('cookie of a session', cookieOf(loggedIn, 'token'));
  keep('cookie of a device', cookieOf(loggedIn, 'device'));
  await get('/hawks/dashboard', { cookie: String(loggedIn.headers['set-cookie']) });
  await post('/login', { user: { email: owner, password: 'wrong password of someone' } });
  await call(
    {
      url: '/login',
      payload: `{"user":{"password":"${TEST_PASSWORD}"`,
      headers: { 'content-type': 'application/json' },
    },
    400,
  );
  await call({
    url: '/login',
    payload: `email=a@b.co&password=${TEST_PASSWORD}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' },
  });
  await get(`/login?password=${encodeURIComponent(TEST_PASSWORD)}&token=${token}`);
  await post('/api/v1/confirm-password', { password: TEST_PASSWORD }, token);
  await post('/password', { user: { email: owner } });
  const emails = () => sentEmails(server.platform.config.dataDir, owner, 'Choose a new password');
  await expect.poll(emails, { timeout: 15_000 }).not.toEqual([]);
  const [email = ''] = await emails();
  const reset = keep('token of a new password', /reset_password_token=([\w-]+)/.exec(email)?.[1]);
  await get(`/update-password?reset_password_token=${reset}`);
  await get(`/update-password.data?reset_password_token=${reset}`);
  await call(
    { method: 'PUT', url: '/password', payload: { user: { password: NEW_PASSWORD, reset_password_token: reset } } },
    204,
  );
  await call(
    { method: 'PUT', url: '/password', payload: { user: { password: NEW_PASSWORD, reset_password_token: reset } } },
    422,
  );
  people.tokens.owner = await server.signIn(owner, NEW_PASSWORD);
  keep('session after that', people.tokens.owner);
  await post('/logout', {}, token);
}

async function useGalleryKeys(): Promise<void> {
  const { owner } = people.tokens;
  const id = await openGallery(server, owner, people.hawks.id, {
    password_required: true,
    password: GALLERY_PASSWORD,
    allow_public_contributions: true,
  });
  const full = await call({ method: 'GET', url: `/api/v1/galleries/${id}/full`, as: owner }, 200);
  const [gallery] = full.json<[Record<string, string>]>();
  const contribute = keep('key of a contributor', gallery['contribute_key']);
  const unlock = keep('link that unlocks', gallery['unlock_key']);
  const photo = await addPhoto(server, owner, id);
  await untilDecided(server, owner, id, [photo.id]);
  const unlocked = await post(`/api/v1/galleries/${id}/unlock`, { password: GALLERY_PASSWORD });
  const cookie = keep('cookie of an unlocked gallery', cookieOf(unlocked, `gal_${id}`));
  await post(`/api/v1/galleries/${id}/unlock`, { password: 'not it' });
  for (const path of ['', '.data', `/photo/${photo.id}`])
    await get(`/hawks/gallery/${id}${path}?unlock=${unlock}`, { cookie: `gal_${id}=${cookie}` });
  await get(`/api/v1/galleries/${id}/unlock?key=${unlock}`);
  await get(`/api/v1/check-key?contributeKey=${contribute}`);
  await get(`/contributor?contributeKey=${contribute}`);
  await get(`/hawks/gallery/${id}/edit?collabKey=${contribute}`);
  await get(`/login?redirect=${encodeURIComponent(`/contributor?contributeKey=${contribute}`)}`);
  await post('/api/v1/policy', { contributeKey: contribute, filename: 'a.jpg' });
  await post('/api/v1/contributor', { contributeKey: contribute, photos: [{ key: 'none', name: 'x' }] });
  await get(`/api/v1/contributor/photos?gallery_id=${id}&contributeKey=${contribute}`);
}

async function buy(): Promise<void> {
  const card = keep('token of a card', (await payWith(server)).id);
  const receipt = keep('address of a receipt', await buyPhotos(server, [sale]));
  await post('/api/v1/orders', {
    stripe_token: { id: card },
    order: { checkout_key: keep('key of a checkout', `checkout-${people.tokens.admin.slice(0, 20)}`) },
    items: [],
  });
  const [line] = await server.data.ownerQuery<{ order_key: string }>('select order_key from order_photos');
  const key = keep('key of a download', line?.order_key);
  for (const url of [
    `/api/v1/orders/${receipt}`,
    `/api/v1/orders/${receipt}/download.zip`,
    `/hawks/order/${receipt}`,
    `/hawks/order/${receipt}.data`,
    `/login?redirect=${encodeURIComponent(`/hawks/order/${receipt}`)}`,
    `/api/v1/galleries/${sale.galleryId}/gallery_photos/${sale.photoIds[0]}?orderkey=${key}&download=true`,
  ])
    await get(url).catch(() => null);
}

async function useKeysOfPrograms(): Promise<void> {
  const { owner } = people.tokens;
  await server.data.ownerQuery('update organizations set can_add_custom_payment = true where id = $1', [
    people.hawks.id,
  ]);
  await post('/api/v1/confirm-password', { password: NEW_PASSWORD }, owner);
  const made = await post(
    `/api/v1/affiliates/${people.hawks.id}/api_tokens`,
    { name: 'Program', scopes: ['galleries:read'], expires_in_days: null },
    owner,
  );
  const token = keep('API token', made.json<{ token: string }>().token);
  await call({ method: 'GET', url: '/api/v1/api_token', as: token }, 200);
  await call({ method: 'GET', url: `/api/v1/galleries/${sale.galleryId}/full?token=${token}`, as: `${token}x` });
  const endpoint = await post(
    `/api/v1/organizations/${people.hawks.id}/webhook_endpoints`,
    {
      webhook_endpoint: {
        url: `https://hooks.hawks-club.org/sideline?key=${keep('key of a receiver', 'receiver-s3cret')}`,
        events: ['order.paid'],
      },
    },
    owner,
  );
  keep('secret of a webhook', endpoint.json<{ secret: string }>().secret);
  await call(
    {
      method: 'PUT',
      url: `/api/v1/affiliates/${people.hawks.id}`,
      as: owner,
      payload: {
        affiliate: { processor_info: { stripe_pk: 'pk_test_hawks1', stripe_sk: secrets.get('secret card key') } },
      },
    },
    200,
  );
}

/** With dropped tables, calls fail inside and are logged in full. */
async function failInside(): Promise<void> {
  const contribute = secrets.get('key of a contributor') ?? '';
  const receipt = secrets.get('address of a receipt') ?? '';
  await server.data.ownerQuery('alter table galleries rename to galleries_elsewhere');
  await server.data.ownerQuery('alter table orders rename to orders_elsewhere');
  const failed = [
    await get(`/api/v1/check-key?contributeKey=${contribute}`),
    await get(`/contributor?contributeKey=${contribute}`),
    await get(`/api/v1/orders/${receipt}`),
    await get(`/hawks/order/${receipt}`),
    await post('/api/v1/policy', { contributeKey: contribute, filename: 'a.jpg' }),
    await post(`/api/v1/galleries/${sale.galleryId}/unlock`, { password: GALLERY_PASSWORD }),
  ];
  expect(failed.map(({ statusCode }) => statusCode)).toEqual(failed.map(() => 500));
}

test('no secret is in the log of a run that uses all of them', async () => {
  await usePasswords();
  await useGalleryKeys();
  await buy();
  await useKeysOfPrograms();
  await failInside();
  const log = lines.join('');
  const told = ['"answered"', 'a statement was slow', 'unexpected failure', 'a page failed', '/hawks/order/[hidden]'];
  expect(told.filter((text) => !log.includes(text))).toEqual([]);
  expect(secrets.size).toBeGreaterThan(25);
  const found = [...secrets].filter(([, secret]) =>
    [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((text) => log.includes(text)),
  );
  expect(found.map(([what]) => what)).toEqual([]);
});
