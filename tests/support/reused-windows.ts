/**
 * Browser windows that tests use one after another, each emptied before its next use: a new one starts a process and
 * compiles every script again, which takes more processor time than most visits. Only the cache of files stays. A window
 * that was changed in another way than is undone here is closed.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

type Size = { width: number; height: number };
type Window = { context: BrowserContext; empty: () => Promise<void> };

/** Settings that a window keeps: its next test has asked for the same ones. */
const SETTINGS = [
  'viewport',
  'reducedMotion',
  'colorScheme',
  'hasTouch',
  'isMobile',
  'acceptDownloads',
  'userAgent',
  'permissions',
];

/** What would also be there for the next test. */
const CHANGES = [
  'addInitScript',
  'addLocatorHandler',
  'emulateMedia',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setHTTPCredentials',
  'setOffline',
  'setStorageState',
] as const;
const PARTS = ['clock', 'coverage', 'credentials', 'screencast', 'tracing'] as const;

/** What tests listen to on a page. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'frameattached',
  'framedetached',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
];

const sessions = new WeakMap<Page, CDPSession>();

/** The debugger of a page, connected once. */
export async function devtoolsOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  return session;
}

/** From here on the browser's windows are reused. */
export function reuseWindows(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  const free = new Map<string, Window[]>();
  browser.newContext = async (options = {}) => {
    const { viewport } = options;
    if (!viewport || !Object.keys(options).every((name) => SETTINGS.includes(name))) return newContext(options);
    const settings = JSON.stringify(options, [...SETTINGS, 'width', 'height']);
    const ready = free.get(settings) ?? [];
    free.set(settings, ready);
    const window = ready.pop() ?? (await openWindow(await newContext(options), viewport, (used) => ready.push(used)));
    await window.empty();
    return window.context;
  };
}

/** @param onFree called when a test has closed the window and it can be emptied for the next one */
async function openWindow(context: BrowserContext, viewport: Size, onFree: (window: Window) => void): Promise<Window> {
  const page = await context.newPage();
  const frame = page.mainFrame();
  const devtools = await devtoolsOf(page);
  const own = { close: context.close.bind(context), newPage: context.newPage.bind(context) };
  /** Sites that it showed: each has a session storage, which only a document of the site can empty. */
  const origins = new Set<string>();
  let isFree = true;
  let isGiven = false;
  let isChanged = false;
  for (const target of [context, page]) onChange(target, () => (isChanged = true));
  // A second page.
  context.on('page', () => (isChanged = true));

  /** Ends the page of the test. By an address from outside, `about:blank` would be in another process. */
  async function leave(): Promise<void> {
    for (const event of EVENTS) page.removeAllListeners(event);
    if (origins.size === 0) return;
    const left = frame.waitForURL('about:blank');
    await Promise.all([left, frame.evaluate(() => window.location.replace('about:blank'))]);
    // It has the storage of the document before it.
    await frame.evaluate(() => {
      window.sessionStorage.clear();
      window.name = '';
    });
  }

  async function empty(): Promise<void> {
    await devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
    await context.clearCookies();
    await devtools.send('Page.resetNavigationHistory');
    await page.setViewportSize(viewport);
    await page.mouse.move(-1, -1);
    origins.clear();
    page.on('framenavigated', (each) => each.url().startsWith('http') && origins.add(new URL(each.url()).origin));
    [isFree, isGiven] = [false, false];
  }

  const reusable = { context, empty };
  context.newPage = async () => {
    if (isGiven) return own.newPage();
    isGiven = true;
    return page;
  };
  context.close = async () => {
    if (isFree) return;
    isFree = true;
    if (isChanged || page.isClosed() || origins.size > 1) return own.close();
    try {
      await leave();
    } catch {
      return own.close();
    }
    onFree(reusable);
  };
  return reusable;
}

/** Calls back when a test uses what the next test would notice. */
function onChange(target: BrowserContext | Page, changed: () => void): void {
  const all = target as unknown as Record<string, unknown>;
  for (const name of CHANGES) {
    const change = all[name];
    if (typeof change !== 'function') continue;
    all[name] = (...how: unknown[]) => {
      changed();
      return change.apply(target, how) as unknown;
    };
  }
  for (const name of PARTS) {
    const part = all[name];
    Object.defineProperty(target, name, {
      get() {
        changed();
        return part;
      },
    });
  }
}
