/** Two children on two teams of a test's own club, their cards, and photos of them in a gallery that sells athlete passes. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { machineDay } from '#src/shared/dates.ts';
import { addDays } from '#src/shared/day-range.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { WIDE } from '#tests/e2e/public-pages.ts';
import { seePdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';

type Child = { id: number; teamId: number; code: string };
export type OwnFamily = OwnGallery & { maya: Child; leo: Child };

const day = (days: number) => addDays(machineDay(new Date()), days);

/**
 * Photos at $2.00: the first three of Maya R., Hawks U12, number 10; the next two of Leo P., Tides U9, number 7; a
 * sixth of no one.
 */
export async function ownFamily(port: number): Promise<OwnFamily> {
  const own = await ownGallery(port, 6, 'Cup final');
  const { call, affiliateId, galleryId, photoIds } = own;
  const club = `/api/v1/affiliates/${affiliateId}`;
  await call('PUT', `${club}/roster_settings`, {
    settings: { mode: 'numbers', unknown_consent: 'show', hold_new_photos: false },
  });
  await call('POST', `${club}/seasons`, { season: { name: 'Fall', first_day: day(-60), last_day: day(90) } });
  const add = async (team: string, first: string, last: string, number: string): Promise<Child> => {
    const { id: teamId } = await call<{ id: number }>('POST', `${club}/teams`, { team: { name: team } });
    const { athlete } = await call<{ athlete: { id: number } }>('POST', `${club}/athletes`, {
      athlete: { first_name: first, last_name: last, consent: 'yes', entries: [{ team_id: teamId, number }] },
    });
    return { id: athlete.id, teamId, code: await addCard(own, athlete.id) };
  };
  const maya = await add('Hawks U12', 'Maya', 'Rivera', '10');
  const leo = await add('Tides U9', 'Leo', 'Park', '7');
  const tagged = (child: Child, from: number, to: number) => ({
    photo_ids: photoIds.slice(from, to),
    add: [{ athlete_id: child.id }],
  });
  await call('PUT', `/api/v1/galleries/${galleryId}/tags`, {
    changes: [tagged(maya, 0, 3), tagged(leo, 3, 5)],
    client_key: randomUUID(),
  });
  const { id: sheet } = await call<{ id: number }>('POST', `${club}/price_sheets`, {
    price_sheet: { name: 'Fall', offers: [{ kind: 'athlete_pass', price: 5 }] },
  });
  await call('PUT', `/api/v1/galleries/${galleryId}`, { gallery: { is_private: false, price_sheet_id: sheet } });
  return { ...own, maya, leo };
}

/** Replaces all cards of this athlete by a new one. */
export async function addCard({ call }: Pick<OwnGallery, 'call'>, athleteId: number): Promise<string> {
  const made = await call<{ cards: { code: string }[] }>('POST', `/api/v1/athletes/${athleteId}/cards`);
  return made.cards.at(-1)?.code ?? '';
}

/** The content of the QR code on the card of this team's only athlete. */
export async function squareOf(own: OwnGallery, browser: Browser, { teamId }: Child): Promise<string> {
  let bytes: number[] = [];
  await asOwnerOf(own, browser, WIDE, async (page) => {
    await page.goto(own.at('/dashboard'));
    bytes = await page.evaluate(
      async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())],
      `/api/v1/teams/${teamId}/cards.pdf`,
    );
  });
  const [square] = (await seePdf(Uint8Array.from(bytes))).codes;
  if (!square) throw new Error('the card has no square');
  return readQr(square.size, square.isDark).text;
}
