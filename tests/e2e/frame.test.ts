/** The layout around every page: bar, menu, guards after a navigation in the browser, offline screens. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { galleryAddress, photoIdsOf, read } from '#tests/support/site-pages.ts';
import { WIDE, expectSound, PHONE, visiting } from '#tests/e2e/public-pages.ts';
import { COACH, openAs } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const NARROW = { ...PHONE, viewport: { width: 320, height: 640 } };
const links = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();

/** Navigates like a link of the page. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { __reactRouterDataRouter: router } = window as unknown as {
      __reactRouterDataRouter: { navigate: (to: string) => void };
    };
    router.navigate(to);
  }, path);
}

test('the first frame that a slow phone paints has a page’s words in it', async () => {
  const gallery = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  const [photo] = await photoIdsOf(gallery);
  await visiting(browser, gallery, PHONE, async (page) => {
    const devtools = await page.context().newCDPSession(page);
    // The browser slows a page by computing as long: six times took three times as much of the processor.
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 2 });
    for (const address of [gallery, `${gallery}/photo/${photo}`, site.url('/hawks-soccer'), site.url('/', 'www')]) {
      await page.goto(address);
      const paints = () => page.evaluate(() => performance.getEntriesByType('paint').map(({ startTime }) => startTime));
      // A busy machine shows it later than the page handles clicks.
      await expect.poll(async () => (await paints()).length).toBe(2);
      const [first, withWords] = await paints();
      expect(withWords, address).toBe(first);
    }
  });
});

test('the link of a photo shows it in the first frame, not the gallery below it', async () => {
  const gallery = await galleryAddress(site.url('/hawks-soccer'), 'Spring Cup Final');
  const [photo] = await photoIdsOf(gallery);
  const { text: html } = await read(`${gallery}/photo/${photo}`);
  // That frame has what is before the main part.
  const stage = html.indexOf('<dialog');
  expect([stage > 0, stage < html.indexOf('id="main"')]).toEqual([true, true]);
});

describe('the navigation bar', () => {
  test('shows visitors the public pages, side by side where there is space', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      await expect.poll(() => links(page)).toEqual(['Why', 'Pricing', 'Support', 'Log In', 'Sign Up']);
      await expectSound(page);
    });
  });

  test('stays visible, and gets a shadow after 91 px of scrolling', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      const bar = page.getByRole('banner').first();
      const lifted = (y: number) =>
        bar.evaluate(async (element, top) => {
          window.scrollTo(0, top);
          await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
          return { top: element.getBoundingClientRect().top, shadow: getComputedStyle(element).boxShadow };
        }, y);
      await expect.poll(() => lifted(90)).toEqual({ top: 0, shadow: expect.stringMatching(/none|, 0\) /) });
      await expect.poll(() => lifted(101)).toEqual({ top: 0, shadow: expect.stringContaining('0.14) 0px 6px 24px') });
    });
  });

  test('leads members to their pages, and is hidden for visitors on an affiliate’s pages', async () => {
    await visiting(browser, site.url('/hawks-soccer'), WIDE, async (page) => {
      await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
      await openAs(page, COACH, site.url('/hawks-soccer'));
      await expect
        .poll(() => links(page))
        .toEqual(['Dashboard', 'New Gallery', 'Prices', 'Roster', 'Reports', 'Settings', 'Log Out']);
      await page.goto(site.url('/tides-swim'));
      const dashboard = page.getByRole('link', { name: 'Dashboard' });
      await expect.poll(() => dashboard.getAttribute('href')).toBe('/hawks-soccer/dashboard');
      await page.goto(site.url('/hawks-soccer?publicView=true'));
      await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    });
  });
});

describe('the menu on a phone', () => {
  test('keeps the focus, stops the page from scrolling, and closes on Escape and after a navigation', async () => {
    await visiting(browser, site.url('/', 'www'), NARROW, async (page) => {
      const button = page.getByRole('button', { name: 'Menu' });
      const menu = page.getByRole('dialog', { name: 'Menu' });
      await page.evaluate(() => window.scrollTo(0, 200));
      await button.click();
      await menu.waitFor();
      await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
      await expectSound(page);
      for (let step = 0; step < 9; step++) {
        await page.keyboard.press('Tab');
        const isOutside = await page.evaluate(() => {
          const { activeElement: at, body } = document;
          return at !== body && at !== null && at.closest('dialog') === null;
        });
        expect(isOutside).toBe(false);
      }
      const before = await page.evaluate(() => window.scrollY);
      await page.mouse.move(40, 400);
      await page.mouse.wheel(0, 600);
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
      await button.click();
      await menu.getByRole('link', { name: 'Pricing' }).click();
      await page.waitForURL('**/pricing');
      await menu.waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    });
  });

  test('is a list of plain links without JavaScript', async () => {
    const context = await browser.newContext({ ...NARROW, javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(site.url('/', 'www'));
      await expect.poll(() => page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
      await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'Pricing' }).click();
      await page.waitForURL('**/pricing');
    } finally {
      await context.close();
    }
  });
});

describe('after a navigation in the browser', () => {
  test('a members’ page asks visitors to log in, and a missing page says so', async () => {
    await visiting(browser, site.url('/hawks-soccer'), { ...WIDE, allowed: /404/ }, async (page) => {
      await goTo(page, '/hawks-soccer/dashboard?search=cup');
      await page.waitForURL('**/login?redirect=%2Fhawks-soccer%2Fdashboard%3Fsearch%3Dcup');
      await goTo(page, '/hawks-soccer/gallery/12345');
      await page.getByRole('heading', { name: 'This page cannot be found.' }).waitFor();
      await expect.poll(() => page.title()).toBe('This page cannot be found.');
    });
  });

  test('another organization’s members’ page logs out and leads to the home page', async () => {
    await visiting(browser, site.url('/hawks-soccer/dashboard'), { ...WIDE, as: COACH }, async (page) => {
      await goTo(page, '/tides-swim/dashboard');
      await page.waitForURL(site.url('/'));
      await page.getByRole('link', { name: 'Log In' }).waitFor();
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name }) => name)).not.toContain('token');
    });
  });

  test('an affiliate of another parent opens on that parent’s host', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      await goTo(page, '/hawks-soccer?search=cup');
      await page.waitForURL(site.url('/hawks-soccer?search=cup'));
    });
  });

  test('a new page starts at its top, and the Back button restores the position', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      await page.evaluate(() => window.scrollTo(0, 500));
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
      await goTo(page, '/pricing');
      await page.waitForURL('**/pricing');
      await page.waitForFunction(() => window.scrollY === 0);
      await page.goBack();
      await page.waitForFunction(() => window.scrollY === 500);
    });
  });

  test('without a connection the screen says so, and opens automatically when it is back', async () => {
    await visiting(
      browser,
      site.url('/', 'www'),
      { ...WIDE, allowed: /ERR_INTERNET_DISCONNECTED|fetch/i },
      async (page) => {
        // Its script was loaded the first time; only the data are missing.
        await goTo(page, '/support');
        await page.waitForURL('**/support');
        await page.goBack();
        await page.waitForURL(site.url('/', 'www'));
        await page.context().setOffline(true);
        await goTo(page, '/support');
        await page.getByRole('heading', { name: 'You’re offline.' }).waitFor();
        await page.context().setOffline(false);
        await page.waitForFunction(() => document.title.includes('Support'));
      },
    );
  });
});
