/** A window that another test has used is like a new one. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WIDE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Everything that a page can find of earlier ones. */
const findings = (page: Page) =>
  page.evaluate(async () => ({
    cookies: document.cookie,
    local: { ...localStorage },
    session: Object.keys(sessionStorage).filter((name) => name === 'left'),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    name: window.name,
    pages: history.length,
    referrer: document.referrer,
    size: [window.innerWidth, window.innerHeight],
    hovered: [...document.querySelectorAll('main :hover')].length,
  }));

async function leaveTraces(page: Page): Promise<void> {
  await page.goto(site.url('/why', 'www'));
  await page.evaluate(async () => {
    document.cookie = 'left=1';
    localStorage.setItem('left', '1');
    sessionStorage.setItem('left', '1');
    // Also what a page writes when it is left.
    window.addEventListener('pagehide', () => sessionStorage.setItem('left', '2'));
    window.name = 'left';
    await caches.open('left');
    await new Promise((resolve) => (indexedDB.open('left').onsuccess = resolve));
  });
  await page.goto(site.url('/support', 'www'));
  await page.setViewportSize({ width: 700, height: 700 });
  await page.mouse.move(350, 350);
}

test('a window that a test has used has nothing of it in the next one', async () => {
  const heard: string[] = [];
  const first = await browser.newContext(WIDE);
  const used = await first.newPage();
  used.on('request', (request) => heard.push(request.url()));
  await leaveTraces(used);
  await first.close();
  heard.length = 0;
  // Settings with which no window is used again.
  const [second, fresh] = [await browser.newContext(WIDE), await browser.newContext({ ...WIDE, locale: 'en-US' })];
  const [again, unused] = [await second.newPage(), await fresh.newPage()];
  expect(again).toBe(used);
  expect(again.url()).toBe('about:blank');
  for (const page of [again, unused]) await page.goto(site.url('/why', 'www'));
  expect(await findings(again)).toEqual(await findings(unused));
  expect(await again.goBack()).toBeNull();
  expect(heard).toEqual([]);
});

test('a window that was opened with permissions is used again with the same ones only', async () => {
  const open = async (...permissions: string[]) => {
    const context = await browser.newContext({ ...WIDE, permissions });
    const page = await context.newPage();
    await context.close();
    return page;
  };
  const reader = await open('clipboard-read');
  expect(await open('clipboard-write')).not.toBe(reader);
  expect(await open('clipboard-read')).toBe(reader);
});

test.each<[string, (page: Page, context: BrowserContext) => unknown]>([
  ['answers calls itself', (page) => page.route('**/api/**', (route) => route.abort())],
  ['runs a script in every page', (page) => page.addInitScript('window.left = 1')],
  ['has a function of the test', (page) => page.exposeFunction('left', () => undefined)],
  ['is offline', (_page, context) => context.setOffline(true)],
  ['has permissions', (_page, context) => context.grantPermissions(['clipboard-read'])],
  ['has another time', (page) => page.clock.setFixedTime(0)],
  ['has a debugger', (page, context) => context.newCDPSession(page)],
  ['has a second page', (_page, context) => context.newPage()],
  ['was closed', (page) => page.close()],
  [
    'has shown another site, too',
    async (page) => {
      for (const label of ['www', 'lakeside']) await page.goto(site.url('/robots.txt', label));
    },
  ],
])('a window that %s is not used again', async (_what, change) => {
  const first = await browser.newContext(WIDE);
  const page = await first.newPage();
  await change(page, first);
  await first.close();
  const second = await browser.newContext(WIDE);
  expect(await second.newPage()).not.toBe(page);
});
