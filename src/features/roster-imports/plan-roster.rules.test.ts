/** Which athlete each row is about, and the messages (athletes B.4, B.7, B.10). */
import { expect, test } from 'vitest';
import {
  planRoster,
  type Known,
  type KnownAthlete,
  type PlanOptions,
} from '#src/features/roster-imports/plan-roster.rules.ts';
import { consentOf, readRow } from '#src/features/roster-imports/roster-rows.rules.ts';
import { foldName } from '#src/features/roster/roster.rules.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

const HAWKS = { id: 1, seasonId: 5, name: 'Hawks U12' };
const TIDES = { id: 2, seasonId: 5, name: 'Tides U12' };
const NOBODY: Known = { seasons: [{ id: 5, name: 'Fall' }], teams: [HAWKS, TIDES], athletes: [], wearers: [] };

const athlete = (
  id: number,
  firstName: string,
  lastName: string,
  change: Partial<KnownAthlete> = {},
): KnownAthlete => ({
  id,
  firstName,
  lastName,
  foldedName: foldName(firstName, lastName),
  externalId: null,
  formerIds: [],
  consent: 'unknown',
  consentBy: null,
  clubConsent: null,
  includedPhotos: null,
  emails: [],
  entries: [{ teamId: HAWKS.id, number: null }],
  ...change,
});

/** Cells in this order: name, number, team, consent, id, email. */
const plan = (...file: Parameters<typeof planAll>) =>
  planAll(...file).map(({ result, athleteId, errors, warnings }) => [result, athleteId, ...errors, ...warnings]);

function planAll(lines: string[][], known: Partial<Known> = {}, options: Partial<PlanOptions> = {}) {
  const file = lines.map(
    ([name = '', number = '', team = '', consent = '', external_id = '', family_email = ''], at) => {
      const cells = { name, number, team, consent, external_id, family_email };
      return { row: at + 2, cells, ...readRow(cells) };
    },
  );
  const steps = planRoster(file, { ...NOBODY, ...known }, { seasonId: 5, team: 'Hawks U12', moves: null, ...options });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

test('every problem of a row is reported', () => {
  expect(plan([['', '12a', '', 'perhaps', '', 'nobody']])).toEqual([
    [
      'failed',
      null,
      'first name is required.',
      'number must be 0 to 9999 or 00.',
      'email is not a valid address.',
      '“perhaps” is not a consent. Use yes, family or no.',
    ],
  ]);
  expect(plan([['Maya', '', '']], {}, { team: '' })).toEqual([['failed', null, 'team is required.']]);
});

test.each([
  ['Rivera, Maya', 'Maya', 'Rivera'],
  ['Maya Rivera', 'Maya', 'Rivera'],
  ['María del Carmen López', 'María', 'del Carmen López'],
  ['Maya', 'Maya', ''],
])('a name in one column is split: %s', (name, firstName, lastName) => {
  expect(readRow({ name }).values).toMatchObject({ firstName, lastName });
});

test.each([
  ['YES', 'yes'],
  ['Sí', 'yes'],
  ['nein', 'no'],
  ['only family', 'family'],
  ['Nur Familie', 'family'],
  [' ', null],
  ['=cmd()', undefined],
  ['x', undefined],
])('%s means the consent %s', (text, consent) => {
  expect(consentOf(text)).toBe(consent);
});

test('two athletes with number 10 on one team are kept, with a warning', () => {
  const known = { wearers: [{ teamId: 1, number: '10', id: 9, firstName: 'Maya', lastName: 'Rivera' }] };
  expect(
    plan(
      [
        ['Leo P', '10'],
        ['Ada', '7'],
        ['Kai', '7'],
        ['Uma', '10', 'Tides U12'],
        ['Zoe', '010'],
      ],
      known,
    ),
  ).toEqual([
    ['created', null, 'Hawks U12 already has a 10 (Maya R.). Both will be kept.'],
    ['created', null],
    ['created', null, 'Hawks U12 already has a 7 (Ada). Both will be kept.'],
    ['created', null],
    ['created', null],
  ]);
});

test('a row identical to an earlier one is the same athlete; another number or address is another child', () => {
  expect(
    plan([
      ['Max Müller', '3'],
      ['max  muller', '3'],
      ['Max Müller', '8'],
      ['Max Müller', '3', '', '', '', 'a@b.test'],
      ['Max Müller', '3', 'Tides U12'],
    ]),
  ).toEqual([
    ['created', null, 'same name as row 4. Both will be kept.'],
    ['failed', null, 'same athlete as row 2.'],
    ['created', null, 'same name as row 2. Both will be kept.'],
    ['failed', null, 'same athlete as row 2.'],
    ['created', null, 'same name as row 2. Both will be kept.'],
  ]);
  expect(
    plan([
      ['Max', '3', '', '', 'A1'],
      ['Max', '3', '', '', 'A2'],
      ['Maximilian', '4', '', '', 'A1'],
      ['Max', '3', 'Tides U12', '', 'A1'],
    ]),
  ).toEqual([
    ['created', null, 'same name as row 3. Both will be kept.'],
    ['created', null, 'Hawks U12 already has a 3 (Max). Both will be kept.', 'same name as row 2. Both will be kept.'],
    ['failed', null, 'same athlete as row 2.'],
    ['updated', null],
  ]);
});

test('existing athletes are found by id, then by name on the team, those with the same number first', () => {
  const athletes = [
    athlete(1, 'Max', 'Müller', { entries: [{ teamId: 1, number: '3' }] }),
    athlete(2, 'Max', 'Müller', { entries: [{ teamId: 1, number: '8' }], externalId: 'B8' }),
    athlete(3, 'Ada', 'Lee', { emails: ['ada@b.test'] }),
  ];
  expect(
    plan(
      [
        ['Max Müller', '8'],
        ['Max Muller', '3'],
        ['Ada Lee', '', '', '', '', 'ada@b.test'],
        ['Max Meier', '8', '', '', 'B8'],
      ],
      { athletes },
    ),
  ).toEqual([
    ['skipped', 2, 'same name as row 3. Both will be kept.'],
    ['skipped', 1, 'same name as row 2. Both will be kept.'],
    ['skipped', 3],
    ['updated', 2, 'Hawks U12 already has a 8 (Max M.). Both will be kept.'],
  ]);
});

test('athletes on another team of the season are asked about, never moved automatically', () => {
  const athletes = [athlete(1, 'Maya', 'Rivera')];
  const lines = [['Maya Rivera', '10', 'Tides U12']];
  expect(plan(lines, { athletes })).toEqual([['failed', null, 'moves to Tides U12?']]);
  expect(plan(lines, { athletes }, { moves: 'move' })).toEqual([['updated', 1, 'moves from Hawks U12 to Tides U12.']]);
  expect(plan(lines, { athletes }, { moves: 'join' })).toEqual([['updated', 1]]);
  expect(plan(lines, { athletes }, { moves: 'new' })).toEqual([['created', null]]);
  // With two matches no one can say which one it is.
  expect(plan(lines, { athletes: [...athletes, athlete(2, 'Maya', 'Rivera')] })).toEqual([['created', null]]);
});

test('a file does not loosen what a family or a member chose', () => {
  const athletes = [athlete(1, 'Maya', 'Rivera', { consent: 'family', consentBy: 'family' })];
  const yes = [['Maya Rivera', '', '', 'yes']];
  // At first it is stored as the club's own consent, beside the family's.
  expect(plan(yes, { athletes })).toEqual([['updated', 1, 'the family decided otherwise, and that stays.']]);
  const again = [athlete(1, 'Maya', 'Rivera', { consent: 'family', consentBy: 'family', clubConsent: 'yes' })];
  expect(plan(yes, { athletes: again })).toEqual([['skipped', 1, 'the family decided otherwise, and that stays.']]);
  expect(plan([['Maya Rivera', '', '', 'no']], { athletes })).toEqual([['updated', 1]]);
  expect(
    plan([['Maya Rivera', '', '', 'yes']], {
      athletes: [athlete(1, 'Maya', 'Rivera', { consent: 'no', consentBy: 'member' })],
    }),
  ).toEqual([['skipped', 1, 'a member decided otherwise, and that stays.']]);
  expect(
    plan([['Maya Rivera', '', '', 'yes']], {
      athletes: [athlete(1, 'Maya', 'Rivera', { consent: 'no', consentBy: 'import' })],
    }),
  ).toEqual([['updated', 1]]);
});

test('each change of an athlete on the roster is said, and what stays is not', () => {
  const known = {
    externalId: 'A-1',
    consent: 'yes' as const,
    emails: ['mom@r.test'],
    entries: [{ teamId: HAWKS.id, number: '7' }],
  };
  const changes = (line: string[], more: Partial<KnownAthlete> = {}) =>
    planAll([line], { athletes: [athlete(1, 'Maya', 'Rivera', { ...known, ...more })] })[0]?.changes;
  expect(changes(['Maya Rivera', '7', '', 'yes', 'A-1', 'mom@r.test'])).toEqual([]);
  expect(changes(['Maya Rivera-Lang', '9', 'Tides U12', 'no', 'A-1', 'dad@r.test'])).toEqual([
    'Maya R. joins Tides U12.',
    'Maya Rivera is now called Maya Rivera-Lang.',
    'Maya R. has number 9.',
    'Maya R. has consent no instead of yes.',
    'Maya R. has the new address dad@r.test.',
  ]);
  expect(changes(['Maya Rivera', '9'])).toEqual(['Maya R. has number 9 instead of 7.']);
  expect(changes(['Maya Rivera', '', '', 'no'], { consentBy: 'family' })).toEqual([
    'Your own consent for Maya R. is no.',
  ]);
  const moving = { athletes: [athlete(1, 'Maya', 'Rivera')] };
  expect(planAll([['Maya Rivera', '10', 'Tides U12']], moving, { moves: 'move' })[0]?.changes).toEqual([
    'Maya R. has number 10.',
  ]);
  expect(planAll([['Maya Rivera'], ['Leo Lang']]).map((row) => row.changes)).toEqual([[], []]);
});

test('the time to plan a large roster grows with its rows, not with their square', async () => {
  const planOf = async (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `First${at} Last${at}`);
    const there = names.map((name, at) => athlete(at + 1, ...(name.split(' ') as [string, string])));
    const lines = names.map((name, at) => [name, String(at % 30), 'Hawks U12']);
    let planned: ReturnType<typeof plan> = [];
    const ms = await processorMsOf(() => (planned = plan(lines, { athletes: there })));
    return { ms, known: planned.filter(([, id]) => id !== null).length };
  };
  await planOf(500);
  const [small, large] = [await planOf(1_000), await planOf(8_000)];
  expect([small.known, large.known]).toEqual([1_000, 8_000]);
  expect(large.ms).toBeLessThan(8 * 4 * Math.max(small.ms, 5));
});
