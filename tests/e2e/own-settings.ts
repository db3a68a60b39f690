/** A club of a test's own, so that the demo's clubs stay unchanged, and its settings. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { send } from '#tests/e2e/own-gallery.ts';
import { visiting } from '#tests/e2e/public-pages.ts';
import type { RunningSite } from '#tests/support/running-site.ts';

export const PASSWORD = 'springboard 10 m';
/** A button of the bar at the bottom. */
export const bar = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Signs up a club of the free tier below `www`; its owner's email is its path at climbers.test. */
export async function newClub({ port }: RunningSite): Promise<{ path: string; email: string; password: string }> {
  const path = `climbers-${randomUUID().slice(0, 8)}`;
  const email = `${path}@climbers.test`;
  const { status } = await send(`www.sideline.localhost:${port}`, 'POST', '/signup/', {
    user: { first_name: 'Cleo', last_name: 'Climber', email, password: PASSWORD },
    affiliateInfo: { affiliateName: path, affiliateOrg: path, domain_name: path },
    promoCode: '',
    org: { id: 1 },
    freeTier: true,
    agreeToTerms: true,
    confirmAgeAndPlace: true,
  });
  expect(status).toBe(200);
  return { path, email, password: PASSWORD };
}

/** A new club's settings, as its owner. */
export async function inSettings(
  { browser, site }: { browser: Browser; site: RunningSite },
  options: BrowserContextOptions & { allowed?: RegExp },
  work: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const { path, ...user } = await newClub(site);
  await visiting(browser, site.url(`/${path}/settings`, 'www'), { ...options, as: user }, (page) => work(page, path));
}
