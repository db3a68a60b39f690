/** What the check of a journey's states refuses: also what is wrong only on a desktop, or only with a mouse. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSoundOnBoth, PHONE } from '#tests/e2e/public-pages.ts';
import { launchBrowser } from '#tests/support/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const SMALL = '.target { display: block; width: 12px; height: 12px; }';
const WIDE_LATER = `<script>
  new ResizeObserver(() => requestAnimationFrame(() => {
    document.querySelector('p').style.width = innerWidth > 1000 ? '1600px' : 'auto';
  })).observe(document.body);
</script>`;

test.each<[string, string, RegExp | null]>([
  ['small targets for a mouse', `<style>@media (pointer: fine) { ${SMALL} }</style>`, /target-size/],
  ['small targets below the mouse', `<style>@media (hover: hover) { ${SMALL} }</style>`, /target-size/],
  [
    'small targets in a layer',
    `<style>@layer a { .target { @media (pointer: fine) { height: 12px !important } } }</style>`,
    /target-size/,
  ],
  [
    'small targets unless they are touched',
    `<style>${SMALL} @media (pointer: coarse) { .target { width: auto; height: 44px } }</style>`,
    /target-size/,
  ],
  ['a layout that follows the desktop’s size a frame later', WIDE_LATER, /scrolls sideways/],
  ['nothing', '', null],
])('%s: is refused if it is wrong on a desktop, and the phone is back', async (_what, wrong, refusal) => {
  // A window of its own: an empty page of a reused one has the site's rules, which refuse styles in the document.
  const context = await browser.newContext({ ...PHONE, bypassCSP: true });
  try {
    const page = await context.newPage();
    await page.setContent(
      `<!doctype html><html lang="en"><head><title>Targets</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>.target { display: block; height: 44px }</style></head>
        <body><main><h1>Targets</h1><p>Two</p><a class="target" href="#a">a</a><a class="target" href="#b">b</a></main>
        ${wrong}</body></html>`,
    );
    const height = () => page.getByRole('link', { name: 'a' }).evaluate((link) => link.clientHeight);
    expect(await height()).toBe(44);
    if (refusal) await expect(expectSoundOnBoth(page)).rejects.toThrow(refusal);
    else await expectSoundOnBoth(page);
    expect([await height(), page.viewportSize()]).toEqual([44, PHONE.viewport]);
  } finally {
    await context.close();
  }
});
