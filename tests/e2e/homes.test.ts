/** The home pages: of the product, of a parent organization, of a club. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, PHONE, expectSound, expectSoundOnBoth, visiting } from '#tests/e2e/public-pages.ts';
import { read } from '#tests/support/site-pages.ts';

const site = useRunningSite();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function first<T>(call: string): Promise<T> {
  const [answer] = JSON.parse((await read(site.url(`/api/v1/${call}`, 'www'))).text) as [T];
  return answer;
}

/** The host of a gallery's pages, as the API returns it. */
async function parentHostOf(galleryAddress: string): Promise<string> {
  const galleryId = new URL(galleryAddress).pathname.split('/').at(-1);
  const { organization_id } = await first<{ organization_id: number }>(`galleries/${galleryId}/full`);
  const { parent_organization_id } = await first<{ parent_organization_id: number }>(
    `organizations/by_id/${organization_id}`,
  );
  const { domain_name } = await first<{ domain_name: string }>(`organizations/by_id/${parent_organization_id}`);
  return `${domain_name}.sideline.localhost`;
}

/** Without its scripts, which have what was loaded once more. */
const shownIn = (html: string) => html.replaceAll(/<script[^]*?<\/script>/g, '');

describe('the product’s home page', () => {
  test('shows real galleries, the plans and no dead links', async () => {
    await visiting(browser, site.url('/', 'www'), PHONE, async (page) => {
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).innerText())
        .toBe('Galleries that pay for the team');
      await expect.poll(() => page.locator('body').getAttribute('class')).toContain('home-page');
      for (const plan of ['$0 forever', '$89 per year', 'Contact us'])
        await expect.poll(() => page.getByText(plan, { exact: true }).count()).toBe(1);
      const links = await page
        .getByRole('main')
        .getByRole('link')
        .evaluateAll((all) => [...new Set(all.map((link) => (link as HTMLAnchorElement).href))]);
      expect(links.length).toBeGreaterThan(3);
      for (const link of links) expect((await read(link)).status, link).toBe(200);
      await expectSoundOnBoth(page);
    });
  });

  test('leads to a gallery on the host of its parent', async () => {
    await visiting(browser, site.url('/', 'www'), WIDE, async (page) => {
      // The newest of the demo's organizations: other tests open galleries there, too.
      const example = page.getByRole('main').locator('a[href*="/gallery/"]').first();
      const name = await example.innerText();
      const address = await example.evaluate((link) => (link as HTMLAnchorElement).href);
      await example.click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect(new URL(page.url()).hostname).toBe(await parentHostOf(address));
    });
  });

  test.each([
    ['Your account has no organization yet.', 1],
    ['You have won a prize.', 0],
  ])('says %j %i times when a link causes it', async (notice, times) => {
    const { text: html } = await read(site.url(`/?notice=${encodeURIComponent(notice)}`, 'www'));
    expect(shownIn(html).split(notice).length - 1).toBe(times);
  });
});

describe('a parent organization’s home page', () => {
  test('names it and leads to its teams', async () => {
    await visiting(browser, site.url('/'), PHONE, async (page) => {
      await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Lakeside Youth Sports');
      await expect.poll(() => page.locator('body').getAttribute('class')).toContain('home-page');
      await expectSoundOnBoth(page);
      await page.getByRole('link', { name: 'Tides Swim Team' }).click();
      await page.getByText('In partnership with Lakeside Youth Sports').waitFor();
      expect(new URL(page.url()).pathname).toBe('/tides-swim');
    });
  });
});

describe('a club’s home page', () => {
  test('lists public galleries with price, day and count, and hides private and inactive ones', async () => {
    await visiting(browser, site.url('/hawks-soccer'), PHONE, async (page) => {
      // The owner's tests may have opened galleries of their own on the same site.
      const names = await page.getByRole('heading', { level: 3 }).allInnerTexts();
      expect(names).toEqual(expect.arrayContaining(['Spring Cup Final', 'Team Portraits', 'Fan Photos']));
      expect(names).not.toContain('Board Only');
      expect(names).not.toContain('Old Season');
      await page.getByRole('heading', { name: /^\d+ galleries$/ }).waitFor();
      const card = page.getByRole('article').filter({ hasText: 'Spring Cup Final' });
      await expect.poll(() => card.innerText()).toMatch(/\$4\.00\s+\d\d\.\d\d\.\d{4}\s+36 photos/);
      await expect.poll(() => card.getByRole('img', { includeHidden: true }).or(card.locator('img')).count()).toBe(5);
      const locked = page.getByRole('article').filter({ hasText: 'Team Portraits' });
      await expect.poll(() => locked.innerText()).toContain('Password required');
      await expect.poll(() => locked.locator('img').count()).toBe(0);
      await expectSoundOnBoth(page);
    });
  });

  test('searches while the visitor types, and is cleared with one click', async () => {
    await visiting(browser, site.url('/hawks-soccer'), WIDE, async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search galleries' });
      await expect.poll(() => search.getAttribute('placeholder')).toBe('Search by event, team, sport, etc');
      await search.fill('CUP');
      await page.getByRole('heading', { name: '1 gallery for “CUP”' }).waitFor();
      expect(page.url()).toContain('search=CUP');
      await search.fill('100%');
      await page.getByText('No galleries match “100%”').waitFor();
      await expectSound(page);
      await page.getByRole('button', { name: 'Clear search' }).click();
      await page.getByRole('heading', { name: /^\d+ galleries$/ }).waitFor();
      await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
    });
  });

  test('says once what search engines and networks read, and a gallery after it, and the home again', async () => {
    await visiting(browser, site.url('/hawks-soccer'), WIDE, async (page) => {
      const said = () =>
        page.evaluate(() => ({
          title: document.title,
          all: [
            'title',
            '[name=description]',
            '[rel=canonical]',
            '[property="og:url"]',
            '[type="application/ld+json"]',
          ].map((what) => document.head.querySelectorAll(what).length),
          canonical: document.querySelector('[rel=canonical]')?.getAttribute('href'),
          shared: document.querySelector('[property="og:url"]')?.getAttribute('content'),
        }));
      const once = [1, 1, 1, 1, 1];
      const home = await said();
      expect(home).toMatchObject({
        all: once,
        canonical: site.url('/hawks-soccer'),
        shared: site.url('/hawks-soccer'),
      });
      await page.getByRole('article').filter({ hasText: 'Spring Cup Final' }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: 'Spring Cup Final' }).waitFor();
      await expect.poll(said).toMatchObject({ all: once, canonical: page.url(), shared: page.url() });
      expect((await said()).title).toContain('Spring Cup Final');
      await page.goBack();
      await expect.poll(said).toEqual(home);
    });
  });

  test('searches without JavaScript, too', async () => {
    const { text: html } = await read(site.url('/hawks-soccer?search=portraits'));
    expect(html).toContain('Team Portraits');
    expect(html).not.toContain('Fan Photos');
  });

  test('that is missing is reported under its host’s name, with a button back', async () => {
    await visiting(browser, site.url('/nobody-here'), { ...PHONE, allowed: /status of 404/ }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'This page cannot be found.' }).waitFor();
      await page.getByRole('banner').getByText('Lakeside Youth Sports').waitFor();
      await expectSound(page);
      await page.getByRole('link', { name: 'Go to the home page' }).click();
      await page.getByRole('heading', { level: 1, name: 'Lakeside Youth Sports' }).waitFor();
    });
    for (const path of ['/hawks-soccer/nothing-here', '/404']) {
      const { status, text: html } = await read(site.url(path));
      expect([status, shownIn(html).includes('This page cannot be found.')], path).toEqual([404, true]);
      expect(shownIn(html), path).toContain('Lakeside Youth Sports');
    }
  });
});
