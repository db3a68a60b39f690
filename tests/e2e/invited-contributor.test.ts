/** Inviting a contributor by email, their photos from a phone, the owner's review by keyboard, the public gallery. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, listenForComplaints, hydrated } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { WIDE, PHONE, expectSound } from '#tests/e2e/public-pages.ts';
import { COACH, openAs } from '#tests/e2e/signed-in.ts';
import { shareGoods } from '#tests/support/second-try.ts';

const site = useRunningSite();
let browser: Browser;
let owner: OpenPage;
beforeAll(async () => {
  browser = await launchBrowser();
});
shareGoods(async () => {
  await owner?.context.close();
  owner = await signIn();
});
afterAll(async () => {
  await owner?.context.close();
  await browser?.close();
});

type OpenPage = { context: BrowserContext; page: Page; complaints: () => string[] };
async function open(options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  return { context, page, complaints: listenForComplaints(page) };
}
async function signIn(): Promise<OpenPage> {
  const opened = await open(WIDE);
  const { page } = opened;
  await openAs(page, COACH, site.url('/hawks-soccer/dashboard'));
  return opened;
}

/** A gallery of its own that is in no list. */
async function makeGallery(name: string): Promise<number> {
  return owner.page.evaluate(async (called) => {
    const [user] = (await (await fetch('/users/current')).json()) as { organizations: { id: number }[] }[];
    const gallery = {
      organization_id: user?.organizations[0]?.id,
      name: called,
      price_per_photo: 4,
      photos_by: 'Everybody',
      is_private: true,
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/v1/galleries/', { method: 'POST', headers, body: JSON.stringify({ gallery }) });
    return ((await answer.json()) as { id: number }).id;
  }, name);
}

const edit = (id: number) => site.url(`/hawks-soccer/gallery/${id}/edit?area=collaborators`);

/** The personal link in the email to an address. */
async function linkTo(address: string): Promise<string> {
  const folder = join(site.dataDir, 'outbox');
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(200)) {
    for (const file of await readdir(folder).catch(() => [])) {
      if (!file.startsWith('hawks-soccer-club-asks')) continue;
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
      const link = text.includes(`To: ${address}`) ? /http:\/\/\S+collabKey=[\w-]{22}/.exec(text)?.[0] : undefined;
      if (link !== undefined) return link;
    }
  }
  throw new Error(`no email to ${address} within a minute`);
}

async function photos(names: readonly string[]) {
  return Promise.all(
    names.map(async (name, index) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await sharp({
        create: { width: 900, height: 600, channels: 3, background: { r: 40 + index * 60, g: 120, b: 90 } },
      })
        .jpeg()
        .toBuffer(),
    })),
  );
}

async function invite(page: Page, id: number, address: string): Promise<void> {
  await page.goto(edit(id));
  await page.getByRole('heading', { name: 'Contributor link' }).waitFor();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite someone' });
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('Email is required.').waitFor();
  await dialog.getByLabel('Email').fill(address);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('button', { name: 'Invite sent!' }).waitFor();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).waitFor();
  await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('listitem').filter({ hasText: address }).getByText('No photos yet').waitFor();
}

describe('an invited contributor', () => {
  test('sends photos from a phone, the owner reviews them by keyboard, and the approved one is public', async () => {
    const { page } = owner;
    const id = await makeGallery('Invited Cup');
    const address = `invited-${id}@families.test`;
    await invite(page, id, address);
    const phone = await open(PHONE);
    const theirs = phone.page;
    await theirs.goto(await linkTo(address));
    await theirs.waitForURL(/collabKey=kept$/);
    for (const name of ['Settings', 'Share', 'Collaborators', 'Public view', 'Save'])
      await expect.poll(() => theirs.getByText(name, { exact: true }).count(), { message: name }).toBe(0);
    await expect.poll(() => theirs.getByLabel('Email').inputValue()).toBe(address);
    await expectSound(theirs);
    await theirs.getByLabel('Photos to upload').setInputFiles(await photos(['one-1.jpg', 'two-2.jpg', 'three-3.jpg']));
    await theirs.getByLabel('Name').fill('Ana Flores');
    await theirs.getByLabel('Instagram').fill('@ana');
    await theirs.getByRole('button', { name: 'Send 3 photos' }).tap();
    await theirs.getByRole('heading', { name: 'Thank you!' }).waitFor();
    const mine = theirs.getByRole('region', { name: 'Your photos' });
    await mine.getByText('Waiting for the team').nth(2).waitFor();
    await mine.getByRole('img', { name: 'two-2.jpg' }).waitFor();
    await expectSound(theirs);
    await mine.getByRole('button', { name: 'Withdraw three-3.jpg' }).tap();
    await theirs.getByRole('button', { name: 'Withdraw photo' }).tap();
    await theirs.getByText('Your photo is withdrawn.').waitFor();

    await page.goto(edit(id));
    await page.getByRole('link', { name: 'Review 2 photos' }).click();
    await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
    await page.getByRole('link', { name: '@ana' }).waitFor();
    await hydrated(page);
    await expectSound(page);
    await page.getByRole('heading', { level: 2, name: 'one-1.jpg' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { level: 2, name: 'two-2.jpg' }).waitFor();
    await page.keyboard.press('a');
    await page.getByText('1 photo waits').waitFor();
    await page.keyboard.press('u');
    await page.getByText('2 photos wait').waitFor();
    await page.getByRole('heading', { level: 2, name: 'two-2.jpg' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 2, name: 'one-1.jpg' }).waitFor();
    await page.keyboard.press('r');
    const question = page.getByRole('alertdialog', { name: 'Reject this photo?' });
    await question.getByText('The photo is removed. This cannot be undone.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    await expectSound(page);

    await theirs.reload();
    await mine.getByText('In the gallery').waitFor();
    await mine.getByText('Not chosen').waitFor();
    await theirs.goto(site.url(`/hawks-soccer/gallery/${id}`));
    await theirs.getByRole('heading', { level: 1, name: 'Invited Cup' }).waitFor();
    // Visitors see no file names (rule 61): the one photo is the chosen one.
    await expect.poll(() => theirs.locator('.photo-tile').count()).toBe(1);
    expect(phone.complaints()).toEqual([]);
    expect(owner.complaints()).toEqual([]);
    await phone.context.close();
  });

  test('with an ended link is led to the home page, and a member with an active one is a contributor there', async () => {
    const { page } = owner;
    const id = await makeGallery('Ended Cup');
    const address = `ended-${id}@families.test`;
    await invite(page, id, address);
    const link = await linkTo(address);
    await page.goto(link);
    await page.getByRole('button', { name: 'Send photos' }).waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await expect.poll(() => page.getByText('Public view').count()).toBe(0);
    await page.goto(edit(id));
    const person = page.getByRole('listitem').filter({ hasText: address });
    await person.getByRole('button', { name: 'End link' }).click();
    await page.getByRole('button', { name: 'End invite' }).click();
    await person.getByText('Link ended').waitFor();
    await page.goto(link);
    await page.waitForURL(({ pathname }) => pathname === '/');
    const stranger = await open(PHONE);
    await stranger.page.goto(site.url(`/hawks-soccer/gallery/${id}/review`));
    await stranger.page.waitForURL(({ pathname }) => pathname === '/login');
    await stranger.context.close();
    for (const key of ['', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      const visitor = await open(PHONE);
      await visitor.page.goto(site.url(`/hawks-soccer/gallery/${id}/edit?collabKey=${key}`));
      await visitor.page.waitForURL(({ pathname }) => pathname === '/');
      await visitor.context.close();
    }
    const returning = await open(PHONE);
    await returning.page.goto(site.url(`/hawks-soccer/gallery/${id}/edit?collabKey=kept`));
    await returning.page.getByRole('heading', { name: 'Please open your invite link again' }).waitFor();
    await returning.context.close();
  });
});

test('the contributor link is copied, limited, replaced and ended', async () => {
  const { page } = owner;
  const id = await makeGallery('Linked Cup');
  await page.goto(edit(id));
  const field = page.getByLabel('Contributor link');
  await field.waitFor();
  const first = await field.inputValue();
  expect(first).toMatch(/^http:\/\/lakeside\.sideline\.localhost:\d+\/contributor\?contributeKey=[\w-]{22}$/);
  await page.getByRole('img', { name: 'QR code of the contributor link' }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('URL Copied').waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  await page.getByLabel('Maximum photos').fill('lots');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('Please enter a whole number of photos from 1 to 100,000.').waitFor();
  await page.getByLabel('Maximum photos').fill('40');
  const year = new Date().getUTCFullYear() + 1;
  await page.getByLabel('Works until').fill(`${year}-07-04`);
  await page.getByRole('button', { name: 'Save limits' }).click();
  await page.getByText('0 of 40 photos received').waitFor();
  await page.getByText(`07.04.${year}`).waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByRole('button', { name: 'Create a new link' }).click();
  await page.waitForFunction(
    (old) => document.querySelector<HTMLInputElement>('[aria-label="Contributor link"]')?.value !== old,
    first,
  );
  await page.getByText('0 of 40 photos received').waitFor();
  const visitor = await open(PHONE);
  await visitor.page.goto(first);
  await visitor.page.waitForURL(({ pathname }) => pathname === '/');
  await visitor.context.close();
  await page.getByRole('button', { name: 'End link', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End link' }).click();
  await page.getByText('This gallery has no link.').waitFor();
  await page.getByRole('button', { name: 'Create a link' }).click();
  await field.waitFor();
  expect(owner.complaints()).toEqual([]);
});
