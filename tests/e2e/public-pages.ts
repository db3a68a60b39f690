/** Shared by the browser tests of the public pages: a page whose errors are collected, and the demo's galleries. */
import { get } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAs, type User } from '#tests/e2e/signed-in.ts';
import { checkAxe, listenForComplaints, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';

export const WIDE: BrowserContextOptions = { viewport: VIEWPORTS.desktop, reducedMotion: 'reduce' };
export const PHONE: BrowserContextOptions = {
  viewport: VIEWPORTS.phone,
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
};
export const BOTH: readonly [string, BrowserContextOptions][] = [
  ['on a desktop', WIDE],
  ['on a phone', PHONE],
];

type Options = BrowserContextOptions & {
  /** What the browser may say aloud: refusals that a test provokes. */
  allowed?: RegExp;
  /** Who is signed in; no one, if it is left out. */
  as?: User;
};

/** Opens an address, lets it be used, and expects no errors. */
export async function visiting(
  browser: Browser,
  address: string,
  { allowed, as, ...options }: Options,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await (as ? openAs(page, as, address) : page.goto(address));
    await work(page);
    expect(complaints().filter((complaint) => !allowed?.test(complaint))).toEqual([]);
  } finally {
    await context.close();
  }
}

export async function expectSound(page: Page): Promise<void> {
  expect(await scrollsSideways(page)).toBe(false);
  expect(await checkAxe(page)).toEqual([]);
}

/** What someone without a browser sees. Node does not know that every name below `localhost` is this machine. */
export function read(address: string | URL): Promise<{ status: number; text: string; location: string | undefined }> {
  const { host, port, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location }));
    }).on('error', reject);
  });
}

/** The address of a demo gallery, found as a visitor does. */
export async function galleryAddress(home: string, name: string): Promise<string> {
  const { text: html } = await read(home);
  const path = new RegExp(`href="([^"]*/gallery/\\d+)"[^>]*>${name}<`).exec(html)?.[1];
  if (path === undefined) throw new Error(`${home} shows no gallery called ${name}`);
  return new URL(path, home).href;
}

/** Ids of a gallery's photos in their order, from the public call. */
export async function photoIdsOf(gallery: string): Promise<number[]> {
  const { origin, pathname } = new URL(gallery);
  const { text } = await read(`${origin}/api/v1/galleries/${pathname.split('/').at(-1)}/full`);
  const [full] = JSON.parse(text) as { gallery_photo: { id: number }[] }[];
  return (full?.gallery_photo ?? []).map(({ id }) => id);
}
