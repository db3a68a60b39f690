/** Printed cards: who is on them, the content of their QR codes, and how long four hundred take. */
import { beforeAll, expect, test } from 'vitest';
import {
  cutMarks,
  PAPER_SIZES,
  PHOTO_DAY_CODE,
  placesOn,
  WALLET_CODE,
} from '#src/features/families/card-layout.rules.ts';
import * as words from '#src/features/families/cards.contract.ts';
import { addCarded, addTeam } from '#tests/support/family-cards.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';
import { seePdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;

beforeAll(async () => {
  people = await settleAnother(server);
});

const print = (teamId: number, query = '', as: string | null = people.tokens.owner) =>
  server.call({ method: 'GET', url: `/api/v1/teams/${teamId}/cards.pdf${query}`, as });
const seen = async (teamId: number, query = '') => seePdf((await print(teamId, query)).rawPayload);
const team = async () => ({ id: await addTeam(server, people.hawks.id), organizationId: people.hawks.id });
const countCards = async (where: string, ...values: unknown[]) =>
  (
    await server.data.ownerQuery<{ count: number }>(
      `select count(*)::integer as count from athlete_cards where ${where}`,
      values,
    )
  )[0]?.count;

async function addMany(teamId: number, count: number): Promise<void> {
  await server.data.ownerQuery(
    `with a as (insert into athletes (organization_id, first_name, last_name, folded_name)
                select $1, 'Child' || n, 'Xavier', 'child' || n from generate_series(1, $3::integer) n returning id)
     insert into entries (organization_id, athlete_id, team_id, number) select $1, id, $2, '1' from a`,
    [people.hawks.id, teamId, count],
  );
}

test('a page has everyone on the team by name, with code and QR code', async () => {
  const hawks = await team();
  const leo = await addCarded(server, hawks, { firstName: 'Leo', lastName: '', number: '7' });
  const maya = await addCarded(server, hawks);
  const answer = await print(hawks.id);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'content-type': 'application/pdf' });
  const pdf = await seePdf(answer.rawPayload);
  expect(pdf.pages).toEqual([{ width: 612, height: 792 }]);
  const address = `${people.parent.path}.sideline.localhost:3000/${people.hawks.path}/family`;
  const club = people.hawks.path;
  expect(pdf.lines).toEqual([
    leo.code,
    club,
    'Leo',
    'Hawks U12 · 7',
    address,
    maya.code,
    club,
    'Maya R.',
    'Hawks U12 · 10',
    address,
  ]);
  expect(pdf.codes.map(({ size, isDark }) => readQr(size, isDark).text)).toEqual(
    [leo, maya].map(({ key }) => `http://${address}#${key}`),
  );
  for (const { side } of pdf.codes) expect(side / 72).toBeGreaterThan(24 / 25.4);
});

test('athletes without a card get one when it is printed, and keep it', async () => {
  const hawks = await team();
  await addMany(hawks.id, 3);
  const first = await seen(hawks.id);
  expect(first.codes).toHaveLength(3);
  const codes = (lines: readonly string[]) => lines.filter((line) => /^.{5}-.{5}$/.test(line));
  expect(codes((await seen(hawks.id, '?layout=photo_day')).lines)).toEqual(codes(first.lines).slice(0, 2));
  const both = await Promise.all([seen(hawks.id), seen(hawks.id, '?paper=a4')]);
  expect(both.map(({ lines }) => codes(lines))).toEqual([codes(first.lines), codes(first.lines)]);
});

test('the cards of one athlete are printed alone, and those of nobody on the team are not', async () => {
  const [hawks, others] = [await team(), await team()];
  const maya = await addCarded(server, hawks);
  const kai = await addCarded(server, others, { firstName: 'Kai', lastName: '' });
  await addMany(hawks.id, 3);
  expect((await seen(hawks.id, `?athlete=${maya.athleteId}`)).lines).toContain(maya.code);
  expect((await seen(hawks.id, `?athlete=${maya.athleteId}`)).codes).toHaveLength(1);
  expect(await countCards('athlete_id in (select athlete_id from entries where team_id = $1)', hawks.id)).toBe(1);
  expect((await print(hawks.id, `?athlete=${kai.athleteId}`)).statusCode).toBe(422);
});

test('athletes who left the team or have no name are not printed', async () => {
  const hawks = await team();
  const [left, nameless] = [await addCarded(server, hawks), await addCarded(server, hawks)];
  await server.data.ownerQuery('update entries set left_on = current_date - 2 where athlete_id = $1', [left.athleteId]);
  await server.data.ownerQuery(
    'update athletes set first_name = null, last_name = null, nameless_at = now() where id = $1',
    [nameless.athleteId],
  );
  const answer = await print(hawks.id);
  expect([answer.statusCode, answer.json()]).toMatchObject([422, { error: words.NO_ONE_TO_PRINT }]);
});

test('photo day cards are two on a page, with a large QR code and a line for notes', async () => {
  const hawks = await team();
  await addCarded(server, hawks);
  const pdf = await seen(hawks.id, '?layout=photo_day&paper=a4');
  expect(pdf.pages).toEqual([PAPER_SIZES.a4]);
  expect(pdf.lines).toContain('Notes');
  expect((pdf.codes[0]?.side ?? 0) / 72).toBeCloseTo(90 / 25.4, 3);
});

test('each page of blank cards has ten new ones', async () => {
  const hawks = await team();
  const before = (await countCards('athlete_id is null and organization_id = $1', people.hawks.id)) ?? 0;
  const texts = new Set<string>();
  for (const paper of ['letter', 'a4']) {
    const pdf = await seen(hawks.id, `?layout=blank&paper=${paper}`);
    for (const { size, isDark } of pdf.codes) texts.add(readQr(size, isDark).text);
    expect(pdf.lines.filter((line) => line === 'Name')).toHaveLength(10);
  }
  expect(texts.size).toBe(20);
  expect(await countCards('athlete_id is null and organization_id = $1', people.hawks.id)).toBe(before + 20);
});

test('a name in letters that our fonts lack gets a line for handwriting, and the rest identifies the card', async () => {
  const hawks = await team();
  await addCarded(server, hawks, { firstName: 'さくら', lastName: 'R', number: '5' });
  await addCarded(server, hawks, { firstName: '小明', lastName: '', number: '23' });
  await addCarded(server, hawks, { firstName: 'Олена', lastName: 'Шевченко', number: '9' });
  await addCarded(server, hawks, { firstName: 'Ελένη', lastName: '', number: '4' });
  for (const layout of ['wallet', 'photo_day']) {
    const lines = (await seen(hawks.id, `?layout=${layout}`)).sheets.flat();
    expect(lines).toEqual(
      expect.arrayContaining(['Number 5 · R. · Hawks U12', 'Number 23 · Hawks U12', 'Олена Ш.', 'Ελένη']),
    );
    expect(lines.filter((line) => line === 'Name')).toHaveLength(2);
    expect(lines).not.toContain('Number');
  }
});

test('a long name is made smaller and ends with three dots, and the number stays next to the end of its team', async () => {
  const hawks = {
    id: await addTeam(server, people.hawks.id, 'Hawks U12 Girls Competitive'),
    organizationId: people.hawks.id,
  };
  const firstName = 'MMMMMMMMMMMM-WWWWWWWWWWWW MMMMMMMMMMMM-WWWWWWWWWWWW MMMMMMM';
  await addCarded(server, hawks, { firstName, lastName: '', number: '7' });
  const { lines } = await seen(hawks.id);
  expect(lines.filter((line) => line.endsWith('…'))).toHaveLength(1);
  expect(lines).toContain('Competitive · 7');
});

test('visitors and other clubs cannot print, and no card is created for them', async () => {
  const hawks = await team();
  await addMany(hawks.id, 1);
  const before = await countCards('true');
  expect((await print(hawks.id, '', null)).statusCode).toBe(401);
  for (const as of [people.tokens.neighbor, people.tokens.foreigner]) {
    expect((await print(hawks.id, '', as)).statusCode).toBe(404);
    expect((await print(hawks.id, '?layout=blank', as)).statusCode).toBe(404);
  }
  expect((await print(4711)).statusCode).toBe(404);
  expect((await print(hawks.id, '?layout=poster&paper=a5')).json()).toMatchObject({
    errors: { layout: [expect.any(String)], paper: [expect.any(String)] },
  });
  expect(await countCards('true')).toBe(before);
});

test('four hundred cards take at most four seconds and three megabytes', async () => {
  const hawks = await team();
  await addMany(hawks.id, 400);
  let rawPayload: Buffer = Buffer.alloc(0);
  const printAll = async () => ({ rawPayload } = await print(hawks.id));
  expect(await processorMsOf(printAll)).toBeLessThan(4_000);
  expect(rawPayload.byteLength).toBeLessThan(3_000_000);
  expect((await seePdf(rawPayload)).pages).toHaveLength(40);
});

test.each(['letter', 'a4'] as const)('cards and cut marks on %s paper do not touch each other', (paper) => {
  const { width, height } = PAPER_SIZES[paper];
  for (const layout of words.LAYOUTS) {
    const places = placesOn(layout, paper);
    for (const box of [...places, ...cutMarks(layout, paper)]) {
      expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 0.001);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 0.001);
    }
    const area = places.reduce((sum, box) => sum + box.width * box.height, 0);
    expect(area).toBeLessThanOrEqual(width * height + 0.001);
  }
  expect([WALLET_CODE / 72 >= 24 / 25.4, PHOTO_DAY_CODE / 72 >= 90 / 25.4 - 1e-9]).toEqual([true, true]);
});
