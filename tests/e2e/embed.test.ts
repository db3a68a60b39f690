/** A gallery embedded in another site (rule 41): it can be viewed there, and no other page of ours can be framed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embedCode } from '#src/features/sharing/gallery-share.rules.ts';
import { galleryAddress } from '#tests/support/site-pages.ts';
import { launchBrowser, listenForComplaints, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
let foreign: Server;
let foreignAddress: string;
let cup: string;
let portraits: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const home = site.url('/hawks-soccer');
  [cup, portraits] = await Promise.all([
    galleryAddress(home, 'Spring Cup Final'),
    galleryAddress(home, 'Team Portraits'),
  ]);
  // Another host, and another site: not below our domain.
  foreign = createServer((request, answer) => {
    const framed = new URL(request.url ?? '/', 'http://foreign.test').searchParams.get('gallery') ?? '';
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(
      `<!doctype html><title>Our league</title><h1>Our league</h1>${embedCode({ publicView: framed }, 'Spring Cup')}`,
    );
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  foreignAddress = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser?.close();
  foreign?.close();
});

const FRAMING_REFUSED = /frame-ancestors|chrome-error|Framing/;

async function embedding(
  gallery: string,
  work: (page: Page, frame: FrameLocator, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await page.goto(`${foreignAddress}?${new URLSearchParams({ gallery: `${gallery}?publicView=true` })}`);
    await work(page, page.frameLocator('iframe'), context);
    expect(complaints().filter((complaint) => !FRAMING_REFUSED.test(complaint))).toEqual([]);
  } finally {
    await context.close();
  }
}

/** The frame of our site in the foreign page, once React has hydrated it. */
async function hydratedFrame(page: Page) {
  await page.frameLocator('iframe').locator('main').waitFor();
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  await frame.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react')),
  );
  return frame;
}

async function newTab(context: BrowserContext, press: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([context.waitForEvent('page'), press()]);
  await tab.waitForLoadState('domcontentloaded');
  return tab;
}

describe('a gallery embedded in another site', () => {
  test('can be viewed there; the cart and everything else open in a new tab', async () => {
    await embedding(cup, async (page, gallery, context) => {
      await gallery.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
      const frame = await hydratedFrame(page);
      const photo = gallery.getByRole('list', { name: 'Photos' }).locator('> .photo-tile').first();
      await photo.hover();
      await photo.getByRole('button', { name: /Add .* to cart$/ }).click();
      const checkout = await newTab(context, () => gallery.getByRole('link', { name: 'Review & Get' }).click());
      await checkout.getByRole('heading', { level: 1, name: 'Review your photos' }).waitFor();
      await checkout
        .getByRole('button', { name: /Remove/ })
        .first()
        .waitFor();
      // Redeemed once: the address is clean, and reloading adds nothing.
      await checkout.waitForURL(site.url('/hawks-soccer/checkout'));
      await expect.poll(() => checkout.evaluate(() => window.opener as unknown)).toBeNull();
      await expect
        .poll(() => checkout.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]').length))
        .toBe(1);

      const home = await newTab(context, () => gallery.getByRole('link', { name: 'Hawks' }).first().click());
      expect(new URL(home.url()).pathname).toBe('/hawks-soccer');
      expect(frame.url()).toBe(`${cup}?publicView=true`);
      // A photo is part of the public view and opens in place.
      await photo.getByRole('link').click();
      await gallery.getByRole('dialog').waitFor();
      expect(frame.url()).toMatch(/\/photo\/\d+\?publicView=true$/);
    });
  });

  // The policy of other pages: http/pages.test.ts.
  test('cannot be turned into another page of ours by the foreign site', async () => {
    await embedding(cup, async (page, gallery) => {
      await hydratedFrame(page);
      await page.evaluate((to) => {
        (document.querySelector('iframe') as HTMLIFrameElement).src = to;
      }, site.url('/hawks-soccer/settings?publicView=true'));
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
      await expect.poll(() => gallery.locator('main').count()).toBe(0);
    });
  });

  test('cannot navigate the frame elsewhere: the router refuses, and the policy blocks the document', async () => {
    await embedding(cup, async (page, gallery) => {
      const frame = await hydratedFrame(page);
      await frame.evaluate(() => {
        const router = (window as unknown as { __reactRouterDataRouter: { navigate: (to: string) => Promise<void> } })
          .__reactRouterDataRouter;
        void router.navigate('/hawks-soccer/checkout');
      });
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
      await expect.poll(() => gallery.getByRole('heading', { name: 'Review your photos' }).count()).toBe(0);
    });
  });

  test('asks for its password in a new tab if it is locked', async () => {
    await embedding(portraits, async (page, gallery, context) => {
      await hydratedFrame(page);
      await gallery.getByLabel('Password').fill('goalkeeper');
      const tab = await newTab(context, () => gallery.getByRole('button', { name: 'Open gallery' }).click());
      await tab.getByRole('list', { name: 'Photos' }).waitFor();
      expect(tab.url()).toBe(`${portraits}?publicView=true`);
      expect(page.frames()[1]?.url()).toBe(`${portraits}?publicView=true`);
    });
  });
});
