/** A session without the login page, which has its own tests; saves a page load, a form and a visit to the dashboard. */
import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { DEMO_ADMIN, DEMO_PASSWORD } from '#src/demo/demo-plan.ts';
import { TOKEN_COOKIE } from '#src/http/cookies.ts';

export type User = { email: string; password: string };

export const ADMIN: User = { email: DEMO_ADMIN.email, password: DEMO_PASSWORD };
/** The owner of the demo's Hawks. */
export const COACH: User = { email: 'coach@hawks.test', password: DEMO_PASSWORD };

/** Of the demo's free club with its one gallery. */
export const SWIMMER: User = { email: 'swim@tides.test', password: DEMO_PASSWORD };
/** Of the demo's parent organization. */
export const DIRECTOR: User = { email: 'director@lakeside.test', password: DEMO_PASSWORD };

/** Opens an address of the site as someone. */
export async function openAs(page: Page, user: User, address: string): Promise<void> {
  await logIn(page, user, address);
  await page.goto(address);
}

/** From now on the page's window is someone's, on all hosts of the site; nothing is opened. */
export async function logIn(page: Page, user: User, address: string): Promise<void> {
  await keepToken(page, await tokenOf(new URL('/login', address), user), address);
}

/** The page's window has a session from now on, on all hosts of the site. */
export async function keepToken(page: Page, value: string, address: string): Promise<void> {
  const { hostname } = new URL(address);
  const domain = hostname.slice(hostname.indexOf('.'));
  await page.context().addCookies([{ name: TOKEN_COOKIE, value, domain, path: '/', httpOnly: true, sameSite: 'Lax' }]);
}

/** A new session's token. Node does not resolve names below `localhost` to this machine. */
export function tokenOf({ host, port, pathname }: URL, user: User): Promise<string> {
  const headers = { host, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers }, (answer) => {
      answer.resume();
      const cookies = answer.headers['set-cookie'] ?? [];
      const token = cookies.map((cookie) => new RegExp(`^${TOKEN_COOKIE}=([^;]+)`).exec(cookie)?.[1]).find(Boolean);
      if (token === undefined) reject(new Error(`${user.email} may not log in: ${answer.statusCode}`));
      else resolve(decodeURIComponent(token));
    })
      .on('error', reject)
      .end(JSON.stringify({ user }));
  });
}
