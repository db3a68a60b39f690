/** A club of a test's own, so that the demo's clubs stay unchanged, and its settings. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { visiting } from '#tests/e2e/public-pages.ts';
import type { RunningSite } from '#tests/support/running-site.ts';

export const PASSWORD = 'springboard 10 m';
/** A button of the bar at the bottom. */
export const bar = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function newClub(page: Page): Promise<string> {
  const path = `climbers-${randomUUID().slice(0, 8)}`;
  const status = await page.evaluate(
    async ([name, password]) => {
      const answer = await fetch('/signup/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          user: { first_name: 'Cleo', last_name: 'Climber', email: `${name}@climbers.test`, password },
          affiliateInfo: { affiliateName: name, affiliateOrg: name, domain_name: name },
          promoCode: '',
          org: { id: 1 },
          freeTier: true,
          agreeToTerms: true,
          confirmAgeAndPlace: true,
        }),
      });
      return answer.status;
    },
    [path, PASSWORD],
  );
  expect(status).toBe(200);
  return path;
}

/** A new club's settings, as its owner. */
export async function inSettings(
  { browser, site }: { browser: Browser; site: RunningSite },
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  await visiting(browser, site.url('/', 'www'), options, async (page) => {
    const path = await newClub(page);
    await page.goto(site.url(`/${path}/settings`, 'www'));
    await work(page, path);
  });
}
