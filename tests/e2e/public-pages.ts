/** Shared by the browser tests of the public pages: a page whose errors are collected, and the demo's galleries. */
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
  /** Errors that the browser may log: refusals that a test causes. */
  allowed?: RegExp;
  /** Who is signed in; no one if it is left out. */
  as?: User;
};

/** Opens an address, uses the page, and expects no errors. */
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
  expect(await scrollsSideways(page), `${page.url()} scrolls sideways`).toBe(false);
  const found = await checkAxe(page);
  expect(found, `${page.url()}: ${found.join('\n')}`).toEqual([]);
}

/**
 * Sound at the size of the page's window, and, as a desktop shows the same state, at a desktop's: a journey is walked
 * once, on a phone, where controls have the least space.
 */
export async function expectSoundOnBoth(page: Page): Promise<void> {
  await expectSound(page);
  const size = page.viewportSize() ?? VIEWPORTS.phone;
  await page.setViewportSize(VIEWPORTS.desktop);
  await expectSound(page);
  await page.setViewportSize(size);
}
