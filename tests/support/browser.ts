/** The browser of the tests, and what they ask its pages. */
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath } from '#tests/support/chromium-path.ts';
import { isMemoryPlenty } from '#tests/support/memory-files.ts';
import { devtoolsOf, reuseWindows } from '#tests/support/reused-windows.ts';

const ARGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise each window starts a second process, for a document of another site that it may open later.
  '--disable-site-isolation-trials',
];

/** A page of a test, axe included, runs too briefly for optimized code to pay. The bench measures with it. */
const ARGS_OF_TESTS = process.env['VITEST'] === undefined ? [] : ['--js-flags=--no-maglev --no-turbofan'];

/** The phone, the tablet and the desktop on which every screen is checked. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1440, height: 900 },
} as const;

let running: Promise<Browser> | null = null;

/**
 * A headless Chromium, one for all files of a worker; works as root. Close it after use: that closes its windows. After
 * every navigation, the test continues when the page handles clicks: on a slow machine an earlier click is lost.
 */
export async function launchBrowser({ endsBySignals = true } = {}): Promise<Browser> {
  const browser = await (running ??= startBrowser(endsBySignals));
  if (browser.isConnected()) return browser;
  running = startBrowser(endsBySignals);
  return running;
}

/** @param endsBySignals whether it handles signals and then ends this process, as its driver does on its own */
async function startBrowser(endsBySignals: boolean): Promise<Browser> {
  const signals = { handleSIGINT: endsBySignals, handleSIGTERM: endsBySignals, handleSIGHUP: endsBySignals };
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: [...ARGS, ...ARGS_OF_TESTS],
    // By this default of its driver each picture between its processes is a file on the disk.
    ignoreDefaultArgs: isMemoryPlenty() ? ['--disable-dev-shm-usage'] : [],
    ...signals,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    if (options?.javaScriptEnabled !== false) context.on('page', goOnWhenHydrated);
    return context;
  };
  reuseWindows(browser);
  // It ends with its process.
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

/** The browser driver's own limit. */
const WAIT_MS = 30_000;
/** A page that left for another one. */
const LEFT = 'Execution context was destroyed';

const MOVES = ['goto', 'reload', 'goBack', 'goForward', 'waitForURL'] as const;

function goOnWhenHydrated(page: Page): void {
  for (const name of MOVES) {
    const move = page[name].bind(page) as (...how: unknown[]) => Promise<unknown>;
    const moveAndWait = async (...how: unknown[]) => {
      const answer = await move(...how);
      await hydrated(page);
      return answer;
    };
    Object.assign(page, { [name]: moveAndWait });
  }
}

/**
 * Waits until the page handles clicks: React has hydrated the document, and its effects have run. Pages of other sites
 * handle them immediately.
 */
export async function hydrated(page: Page): Promise<void> {
  await untilTrue(page, () => {
    if (document.readyState !== 'complete') return false;
    if (!('__reactRouterContext' in window)) return true;
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer'));
    const root = key === undefined ? undefined : (document as unknown as Record<string, HostRoot>)[key];
    if (root?.stateNode.current.memoizedState.isDehydrated !== false) return false;
    // Effects run after the frame in which React has drawn.
    const { documentElement: html } = document as unknown as { documentElement: { heard?: boolean } };
    const wasHeard = html.heard === true;
    html.heard = true;
    return wasHeard;
  });
}

/**
 * Waits until it is true in the page, also in one that replaces it meanwhile. As `page.waitForFunction` does, which loads
 * a script of 340 kB into each document for it (decision record 0122).
 */
export async function untilTrue(page: Page, isTrue: () => boolean): Promise<void> {
  const wait = `(async (isTrue) => {
    for (const start = performance.now(); !isTrue(); await new Promise(requestAnimationFrame))
      if (performance.now() - start > ${WAIT_MS}) throw new Error('it did not become true: ' + isTrue);
  })(${isTrue.toString()})`;
  for (;;)
    try {
      return await page.evaluate<void>(wait);
    } catch (error) {
      if (!String(error).includes(LEFT)) throw error;
    }
}

/** React's own property of the document. */
type HostRoot = { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } };

/**
 * Chromium logs it of a page that is still open some seconds after it was loaded, so on a slow machine: behind an open
 * photo its tile has the large picture, which is already loaded, and not the small one that was preloaded for it.
 */
const NOT_USED_YET = 'was preloaded using link preload but not used within a few seconds';

/** Collects the errors of a page; a test ends with `expect(complaintsOf(page)).toEqual([])`. */
export function listenForComplaints(page: Page): () => string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !message.text().includes(NOT_USED_YET)) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return () => complaints;
}

/**
 * Waits until loading and fading have ended, for three frames: numbers that are dimmed while newer ones load are not a
 * finding, and a list that is about to continue would change while it is being checked.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => {
    (globalThis as { quietFrames?: number }).quietFrames = 0;
  });
  await untilTrue(page, () => {
    const counter = globalThis as { quietFrames?: number };
    const isQuiet =
      document.querySelector('main [aria-busy="true"]') === null &&
      document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState !== 'running');
    counter.quietFrames = isQuiet ? (counter.quietFrames ?? 0) + 1 : 0;
    return counter.quietFrames >= 3;
  });
}

/** The script that `AxeBuilder` brings. */
const AXE = (
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))('axe-core/axe.min.js') as {
    source: string;
  }
).source;

type RunOptions = Parameters<AxeBuilder['options']>[0];
/** The parts of axe that are used here. */
type Axe = {
  run(on: Document, options: RunOptions): Promise<{ violations: Violation[] }>;
};
type Violation = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] };

/** WCAG 2.2 A and AA, and best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Details of passed rules take a quarter of its time, and no one reads them. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };

/** What axe finds in a page without frames; null if the page has not loaded axe yet. */
function runAxe(page: Page): Promise<Violation[] | null> {
  const all: RunOptions = { ...OPTIONS, runOnly: { type: 'tag', values: TAGS } };
  return page.evaluate(async (options) => {
    const { axe } = globalThis as { axe?: Axe };
    return axe ? (await axe.run(document, options)).violations : null;
  }, all);
}

/** As `AxeBuilder` does, which sends axe to the page again for each check, and all of its results back. */
async function checkDocument(page: Page): Promise<Violation[]> {
  const found = await runAxe(page);
  if (found) return found;
  const devtools = await devtoolsOf(page);
  await devtools.send('Runtime.evaluate', { expression: `(() => {${AXE}})()` });
  const foundNow = await runAxe(page);
  if (foundNow === null) throw new Error('the page could not load axe');
  return foundNow;
}

/** The errors that axe finds on the page, one line each. */
export async function checkAxe(page: Page): Promise<string[]> {
  await settled(page);
  const violations: Violation[] =
    page.frames().length === 1
      ? await checkDocument(page)
      : (await new AxeBuilder({ page }).options(OPTIONS).withTags(TAGS).analyze()).violations;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} — ${node.target.join(' ')}\n${node.failureSummary ?? ''}`),
  );
}

/** Whether the page scrolls sideways, which it must never do. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
