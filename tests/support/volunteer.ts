/** A logged-in user with a free club and an empty gallery of their own: for tests that must not affect others. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';

export type Volunteer = { email: string; password: string; club: string; galleryId: number; editor: string };

/** Through the browser, which resolves our host names: a call as the user who is logged in there. */
export async function callFrom<T>(page: Page, method: string, path: string, body: object | null = null): Promise<T> {
  const answer = await page.evaluate(
    async ([how, where, sent]) => {
      const response = await fetch(where, {
        method: how,
        headers: { 'content-type': 'application/json' },
        ...(sent === null ? {} : { body: sent }),
      });
      return { ok: response.ok, text: await response.text() };
    },
    [method, path, body && JSON.stringify(body)] as const,
  );
  if (!answer.ok) throw new Error(`${path}: ${answer.text}`);
  return JSON.parse(answer.text) as T;
}

/** Signs up from a page of the root's host, which `page` shows already. */
export async function signUpVolunteer(page: Page): Promise<Volunteer> {
  const club = `bleachers-${randomUUID().slice(0, 8)}`;
  const [email, password] = [`${club}@families.test`, 'nine fine pines'];
  await callFrom(page, 'POST', '/signup/', {
    user: { first_name: 'Vera', last_name: 'Volunteer', email, password },
    affiliateInfo: { affiliateName: club, affiliateOrg: 'Bleachers', domain_name: club },
    promoCode: '',
    org: { id: 1 },
    freeTier: true,
    agreeToTerms: true,
    confirmAgeAndPlace: true,
  });
  const [user] = await callFrom<{ organizations: { id: number }[] }[]>(page, 'GET', '/users/current');
  const { id: galleryId } = await callFrom<{ id: number }>(page, 'POST', '/api/v1/galleries/', {
    gallery: { name: 'Season', price_per_photo: 5, organization_id: user?.organizations[0]?.id },
  });
  return { email, password, club, galleryId, editor: `/${club}/gallery/${galleryId}/edit` };
}
