/** Pages while the database is down (rule 35): they say so, retry every second, and recover automatically. */
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '#src/shared/problem.ts';
import { launchBrowser, hydrated } from '#tests/support/browser.ts';
import { settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';
import { WIDE, expectSound, visiting } from '#tests/e2e/public-pages.ts';

const server = useTestServer({ pages: true });
let browser: Browser;
let origin: string;
beforeAll(async () => {
  await settleNeighborhood(server);
  const fastify = server.built.server;
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://lakeside.sideline.localhost:${(fastify.server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The first call of every page; returns the response. */
function takeDatabaseAway(): () => void {
  const { organizations } = server.app;
  const { byHostLabel } = organizations;
  organizations.byHostLabel = async () => {
    throw problem('unavailable', 'The database does not answer.');
  };
  return () => void (organizations.byHostLabel = byHostLabel);
}

const HEADING = 'We’ll be right back.';
const RIGHT_BACK = { ...WIDE, allowed: /503/ };

describe('while the database is down', () => {
  test('a requested page says so, and opens when the database is back', async () => {
    const bringBack = takeDatabaseAway();
    try {
      await visiting(browser, `${origin}/pricing`, RIGHT_BACK, async (page) => {
        await page.getByRole('heading', { name: HEADING }).waitFor();
        const again = await page.waitForResponse((response) => response.url() === `${origin}/pricing`);
        expect(again.status()).toBe(503);
        bringBack();
        await page.waitForFunction(() => document.title.includes('Pricing'));
      });
    } finally {
      bringBack();
    }
  });

  test('a navigation in the browser says so, and its page opens when the database is back', async () => {
    await visiting(browser, `${origin}/hawks`, RIGHT_BACK, async (page) => {
      await hydrated(page);
      const bringBack = takeDatabaseAway();
      try {
        await page.evaluate(() => {
          const { __reactRouterDataRouter: router } = window as unknown as {
            __reactRouterDataRouter: { navigate: (to: string) => void };
          };
          router.navigate('/support');
        });
        await page.getByRole('heading', { name: HEADING }).waitFor();
        expect(new URL(page.url()).pathname).toBe('/support');
        // Here, because such a page reloads every second, in the middle of a check.
        await expectSound(page);
        bringBack();
        await page.waitForFunction(() => document.title.includes('Support'));
      } finally {
        bringBack();
      }
    });
  });
});
