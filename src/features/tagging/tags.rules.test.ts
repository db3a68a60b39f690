import { describe, expect, test } from 'vitest';
import * as words from '#src/features/tagging/tagging.contract.ts';
import type { TagChange } from '#src/features/tagging/tagging.contract.ts';
import { entryOn, planTags, undoOf, wearersOf, type Entry, type TagFacts } from '#src/features/tagging/tags.rules.ts';

const [HAWKS, TIDES] = [1, 2];
const [MAYA, LEO, ANA] = [11, 12, 13];
const entry = (athleteId: number, teamId: number, number: string | null, days: Partial<Entry> = {}): Entry => ({
  athleteId,
  teamId,
  number,
  joinedOn: null,
  leftOn: null,
  ...days,
});
const change = (one: Partial<TagChange>): TagChange => ({ photo_ids: [1], add: [], remove: [], how: 'hand', ...one });
const facts = (entries: readonly Entry[], more: Partial<TagFacts> = {}): TagFacts => ({
  days: new Map([
    [1, '2026-10-03'],
    [2, '2026-03-01'],
  ]),
  athletes: new Map([MAYA, LEO, ANA].map((id) => [id, id])),
  teams: new Set([HAWKS, TIDES]),
  playing: new Set([HAWKS]),
  entries,
  ...more,
});
const ten = { team_id: HAWKS, number: '10' };
const shortly = ({ photoId, athleteId, teamId, number }: { photoId: number } & Omit<Entry, 'joinedOn' | 'leftOn'>) =>
  [photoId, athleteId, teamId, number] as const;
const added = (changes: readonly Partial<TagChange>[], entries: readonly Entry[], more?: Partial<TagFacts>) =>
  planTags(changes.map(change), facts(entries, more)).add.map((tag) => shortly(tag as never));

describe('who wears a number', () => {
  const changed = [
    entry(MAYA, HAWKS, '10', { leftOn: '2026-06-30' }),
    entry(MAYA, HAWKS, '7', { joinedOn: '2026-07-01' }),
    entry(LEO, HAWKS, '10', { joinedOn: '2026-07-01' }),
  ];
  test.each([
    ['2026-06-30', '10', [MAYA]],
    ['2026-07-01', '10', [LEO]],
    ['2026-06-30', '7', []],
    ['2026-07-01', '7', [MAYA]],
  ])('on %s number %s is worn by %j', (day, number, athletes) => {
    expect(wearersOf(changed, { teamId: HAWKS, number }, day)).toEqual(athletes);
  });

  test('0, 00 and 07 are three players', () => {
    const odd = [entry(MAYA, HAWKS, '0'), entry(LEO, HAWKS, '00'), entry(ANA, HAWKS, '07')];
    expect(['0', '00', '07', '7'].map((number) => wearersOf(odd, { teamId: HAWKS, number }, '2026-10-03'))).toEqual([
      [MAYA],
      [LEO],
      [ANA],
      [],
    ]);
  });
});

describe('the entry of an athlete on a day', () => {
  const on = (day: string, entries: readonly Entry[]) =>
    entryOn(entries, MAYA, { day, playing: new Set([HAWKS]) })?.number ?? null;
  test('prefers a team that plays here', () => {
    expect(on('2026-10-03', [entry(MAYA, TIDES, '4'), entry(MAYA, HAWKS, '10')])).toBe('10');
    expect(on('2026-10-03', [entry(MAYA, TIDES, '4')])).toBe('4');
  });
  test('is the next one when the camera’s clock is years behind, and none once all have ended', () => {
    const joined = [entry(MAYA, HAWKS, '10', { joinedOn: '2026-08-01', leftOn: '2026-12-01' })];
    expect(on('2012-01-01', joined)).toBe('10');
    expect(on('2026-12-02', joined)).toBeNull();
  });
});

describe('changes of tags', () => {
  test('turn a number into the athlete who wore it on the photo’s day, or keep it bare if nobody did', () => {
    const entries = [entry(MAYA, HAWKS, '10', { joinedOn: '2026-08-01' })];
    expect(added([{ photo_ids: [1, 2], add: [ten] }], entries)).toEqual([
      [1, MAYA, HAWKS, '10'],
      [2, null, HAWKS, '10'],
    ]);
  });

  test('refuse a number that two wear', () => {
    const plan = planTags([change({ add: [ten] })], facts([entry(MAYA, HAWKS, '10'), entry(LEO, HAWKS, '10')]));
    expect(plan).toMatchObject({
      add: [],
      photoIds: [],
      refused: [{ photoId: 1, error: words.chooseAthlete('10', 2) }],
    });
    expect(words.chooseAthlete('10', 2)).toBe('Two players wear 10. Please choose the athlete.');
  });

  test('use the remaining athlete of a merge', () => {
    const merged = { athletes: new Map([[MAYA, LEO]]) };
    expect(added([{ add: [{ athlete_id: MAYA }] }], [entry(LEO, HAWKS, '7')], merged)).toEqual([[1, LEO, HAWKS, '7']]);
  });

  test.each<[string, Partial<TagChange>[], unknown[]]>([
    ['the same tag twice counts once', [{ add: [ten] }, { add: [{ athlete_id: MAYA }] }], [[1, MAYA, HAWKS, '10']]],
    ['what is taken back stays away', [{ add: [ten] }, { remove: [{ athlete_id: MAYA }] }], []],
    ['also by its number', [{ add: [{ athlete_id: MAYA }] }, { remove: [ten] }], []],
    ['and comes again', [{ remove: [ten] }, { add: [ten] }], [[1, MAYA, HAWKS, '10']]],
    ['others stay', [{ add: [ten, { team_id: TIDES, number: '4' }] }, { remove: [ten] }], [[1, null, TIDES, '4']]],
  ])('%s', (_name, changes, tags) => {
    expect(added(changes, [entry(MAYA, HAWKS, '10')])).toEqual(tags);
  });

  test('refuse a whole change with an unknown part, and apply the others', () => {
    const plan = planTags(
      [
        change({ photo_ids: [1, 2], add: [ten, { athlete_id: 99 }] }),
        change({ photo_ids: [1], add: [{ team_id: 99, number: '3' }] }),
        change({ photo_ids: [3], add: [ten] }),
        change({ photo_ids: [2], checked: true }),
      ],
      facts([]),
    );
    expect(plan).toMatchObject({ add: [], checks: [{ photoId: 2, checked: true }], photoIds: [2] });
    expect(plan.refused).toEqual([
      { photoId: 1, error: words.ATHLETE_NOT_FOUND },
      { photoId: 2, error: words.ATHLETE_NOT_FOUND },
      { photoId: 1, error: words.TEAM_NOT_FOUND },
      { photoId: 3, error: words.PHOTO_IS_GONE },
    ]);
  });

  test('are undone within the limits of a change, and photos with the same change together', () => {
    const on = (photoId: number, number: string) => ({ photoId, athleteId: null, teamId: HAWKS, number });
    const many = Array.from({ length: 120 }, (_, at) => on(at + 1, '4'));
    const whole = Array.from({ length: 70 }, (_, at) => on(500, String(at)));
    const undo = undoOf(
      [...many, ...whole],
      [{ photoId: 500, athleteId: MAYA, teamId: HAWKS, number: '10', how: 'hand' }],
    );
    expect(undo.map(({ photo_ids, add, remove }) => [photo_ids.length, add.length, remove.length])).toEqual([
      [1, 0, 60],
      [1, 0, 10],
      [1, 1, 0],
      [100, 0, 1],
      [20, 0, 1],
    ]);
    expect(undo[2]).toEqual({ photo_ids: [500], add: [{ athlete_id: MAYA }], remove: [], how: 'hand' });
  });

  test('are taken back as they were: those of keywords apart from those of a person', () => {
    const on = (photoId: number, how: 'hand' | 'keyword') => ({
      photoId,
      athleteId: MAYA,
      teamId: null,
      number: null,
      how,
    });
    const back = { add: [{ athlete_id: MAYA }], remove: [] };
    expect(undoOf([], [on(1, 'keyword'), on(2, 'hand'), on(3, 'keyword')])).toEqual([
      { photo_ids: [1, 3], ...back, how: 'keyword' },
      { photo_ids: [2], ...back, how: 'hand' },
    ]);
  });
});
