/** A gallery of a test's own, in its own account, made by API calls, so that the demo stays unchanged. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { listenForComplaints } from '#tests/support/browser.ts';
import { keepToken } from '#tests/e2e/signed-in.ts';

const PASSWORD = 'orange-river-9';

export type OwnGallery = {
  /** Of the owner's session, which calls and windows share. */
  token: string;
  /** Of the affiliate, below `www`. */
  path: string;
  affiliateId: number;
  galleryId: number;
  photoIds: number[];
  /** Address of a page below the affiliate. */
  at: (path: string) => string;
  call: Call;
};

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** Signs up on the free tier, creates a gallery with this many photos, and waits until all are ready. */
export async function ownGallery(port: number, photoCount: number, name = 'Autumn Meet'): Promise<OwnGallery> {
  const host = `www.sideline.localhost:${port}`;
  const path = `club-${randomUUID().slice(0, 8)}`;
  const email = `${path}@owners.test`;
  const signedUp = await send(host, 'POST', '/signup/', {
    user: { first_name: 'Olga', last_name: 'Owner', email, password: PASSWORD },
    affiliateInfo: { affiliateOrg: `Club ${path.slice(5)}`, affiliateName: path, domain_name: path },
    org: { id: 1 },
    freeTier: true,
    agreeToTerms: true,
    confirmAgeAndPlace: true,
  });
  const authorization = String(signedUp.headers['authorization'] ?? '');
  const token = authorization.replace('Bearer ', '');
  const call: Call = async <T>(method: string, url: string, body?: unknown): Promise<T> => {
    const answer = await send(host, method, url, body, { authorization });
    if (answer.status >= 300) throw new Error(`${method} ${url} → ${answer.status} ${answer.body}`);
    return (answer.body === '' ? null : JSON.parse(answer.body)) as T;
  };
  const [user] = JSON.parse(signedUp.body) as [{ organizations: [{ id: number }] }];
  const affiliateId = user.organizations[0].id;
  const { id: galleryId } = await call<{ id: number }>('POST', '/api/v1/galleries/', {
    // Unlisted: it may be visited, and pushes no gallery of the demo off the front page.
    gallery: { organization_id: affiliateId, name, price_per_photo: 2, photos_by: 'Olga', is_private: true },
  });
  for (let index = 0; index < photoCount; index += 1) await upload(call, { host, affiliateId, galleryId, index });
  const photoIds = await untilReady(call, galleryId, photoCount);
  return { token, path, affiliateId, galleryId, photoIds, call, at: (page) => `http://${host}/${path}${page}` };
}

/**
 * Performs an action on a photo: with the button of its tile, or with the menu if the tile has no space for buttons.
 */
export async function tileAction(page: Page, photo: string, action: string): Promise<void> {
  const button = page.getByRole('button', { name: `${action} ${photo}`, exact: true });
  const menu = page.getByRole('button', { name: `Actions for ${photo}`, exact: true });
  await button.or(menu).filter({ visible: true }).first().waitFor();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole('dialog', { name: photo }).getByRole('button', { name: action, exact: true }).click();
}

/** Gives the page's window the owner's session; nothing is opened. */
export async function signInAs(page: Page, { token, at }: OwnGallery): Promise<void> {
  await keepToken(page, token, at('/'));
}

/**
 * A window of its own, logged in as the gallery's owner, without a page; errors on the page fail the test, except those in `allowed`.
 */
export async function asOwnerOf(
  own: OwnGallery,
  browser: Browser,
  { allowed, ...options }: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await signInAs(page, own);
    await work(page);
    expect(complaints().filter((line) => !allowed?.test(line))).toEqual([]);
  } finally {
    await context.close();
  }
}

async function upload(
  call: Call,
  { host, affiliateId, galleryId, index }: { host: string; affiliateId: number; galleryId: number; index: number },
): Promise<void> {
  const filename = `field-${index + 1}.jpg`;
  const policy = await call<Record<string, string | boolean>>(
    'POST',
    `/api/v1/policy?timestamp=0&gallery_id=${galleryId}`,
    {
      affiliate_id: affiliateId,
      filename,
    },
  );
  const { error: _error, url, ...fields } = policy;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([Uint8Array.from(await picture(index))], { type: 'image/jpeg' }), filename);
  const encoded = new Request('http://form.invalid', { method: 'POST', body: form });
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const stored = await send(host, 'POST', new URL(String(url), `http://${host}`).pathname, bytes, {
    'content-type': encoded.headers.get('content-type') ?? '',
  });
  if (stored.status !== 201) throw new Error(`the store answered ${stored.status} ${stored.body}`);
  await call('POST', `/api/v1/galleries/${galleryId}/gallery_photos`, {
    photo: { key: fields['key'], name: filename },
  });
}

/** Every second one is in portrait format. */
async function picture(index: number): Promise<Buffer> {
  const [width, height] = index % 2 === 0 ? [900, 600] : [600, 900];
  const background = { r: 30 + index * 25, g: 110 + index * 10, b: 90 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function untilReady(call: Call, galleryId: number, count: number): Promise<number[]> {
  for (let asked = 0; asked < 600; asked += 1) {
    const { photos } = await call<{ photos: { id: number; status: string }[] }>(
      'GET',
      `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`,
    );
    if (photos.filter(({ status }) => status === 'ready').length === count) return photos.map(({ id }) => id);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the photos were not ready within two minutes');
}

/** A call of the site. Node does not resolve names below `localhost` to this machine. */
export function send(
  host: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const type = bytes === null || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' };
  const port = host.split(':')[1];
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host, ...type, ...headers, ...(bytes ? { 'content-length': bytes.length } : {}) },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      },
    );
    asked.on('error', reject);
    asked.end(bytes ?? undefined);
  });
}
