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
  // First, because it waits until the layout has settled.
  const found = await checkAxe(page);
  expect(found, `${page.url()}: ${found.join('\n')}`).toEqual([]);
  expect(await scrollsSideways(page), `${page.url()} scrolls sideways`).toBe(false);
}

/**
 * Sound at the size of the page's window, and, as a desktop with a mouse shows the same state, at a desktop's: a journey
 * is walked once, on a phone, where controls have the least space.
 */
export async function expectSoundOnBoth(page: Page): Promise<void> {
  await expectSound(page);
  const size = page.viewportSize() ?? VIEWPORTS.phone;
  await page.setViewportSize(VIEWPORTS.desktop);
  await useStylesOfMouse(page);
  try {
    await expectSound(page);
  } finally {
    await useOwnStyles(page);
    await page.setViewportSize(size);
  }
}

/** The conditions of style sheets that were changed, with what they were. */
type Changed = { changedMedia?: [MediaList, string][] };

/**
 * Changes the conditions of the style sheets to what they are with a mouse: without its touch screen, an open page of
 * a browser without a screen has no pointer at all.
 */
async function useStylesOfMouse(page: Page): Promise<void> {
  await page.evaluate(() => {
    const changed: [MediaList, string][] = [];
    const change = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        if (rule instanceof CSSMediaRule) {
          const { mediaText } = rule.media;
          const ofMouse = mediaText
            .replaceAll(/\((any-)?(pointer: fine|hover: hover)\)/g, '(min-width: 0px)')
            .replaceAll(/\((any-)?(pointer: (coarse|none)|hover: none)\)/g, '(max-width: 0px)');
          if (ofMouse !== mediaText) {
            changed.push([rule.media, mediaText]);
            rule.media.mediaText = ofMouse;
          }
        }
        if ('cssRules' in rule) change(rule.cssRules as CSSRuleList);
      }
    };
    for (const sheet of document.styleSheets) change(sheet.cssRules);
    (globalThis as Changed).changedMedia = changed;
  });
}

async function useOwnStyles(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const [media, text] of (globalThis as Changed).changedMedia ?? []) media.mediaText = text;
  });
}
