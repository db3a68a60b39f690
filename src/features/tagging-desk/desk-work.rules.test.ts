import { describe, expect, test } from 'vitest';
import { burstsOf } from '#src/features/tagging-desk/bursts.rules.ts';
import type { DeskPhoto, DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';
import { afterUndo, afterWork, perMinute, type Pace } from '#src/features/tagging-desk/pace.rules.ts';
import {
  addTags,
  burstOf,
  changed,
  doneBy,
  firstOpen,
  hidePhoto,
  nobodyHere,
  placeAfter,
  placeBefore,
  removeTag,
  reversed,
  sameAsBefore,
  wireChanges,
} from '#src/features/tagging-desk/steps.rules.ts';
import {
  mustNotBePublished,
  onlyForFamily,
  speedWords,
  trayWords,
} from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { deskPhoto } from '#tests/support/desk-photo.ts';

const MAYA: DeskTag = { athleteId: 1, teamId: 1, number: '10', name: 'Maya R.' };
const LEO: DeskTag = { athleteId: 2, teamId: 1, number: '7', name: 'Leo B.' };
const BARE: DeskTag = { athleteId: null, teamId: 1, number: '41', name: null };

describe('a burst', () => {
  const shot = (id: number, seconds: number | null, camera: string | null = 'A') => ({
    id,
    camera,
    capturedAt:
      seconds === null ? null : new Date(Date.UTC(2026, 8, 12, 10) + seconds * 1_000).toISOString().slice(0, -1),
  });
  test.each([
    [
      'includes pauses of two seconds, and ends at longer ones',
      [shot(1, 0), shot(2, 2), shot(3, 4.001)],
      { 1: [1, 2], 2: [1, 2] },
    ],
    ['one picture is none', [shot(1, 0), shot(2, 60)], {}],
    [
      'is not broken by another camera',
      [shot(1, 0), shot(9, 0.5, 'B'), shot(2, 1), shot(8, 1.5, 'B')],
      { 1: [1, 2], 2: [1, 2], 9: [9, 8], 8: [9, 8] },
    ],
    [
      'is found in a list with the newest first, too',
      [shot(3, 2), shot(2, 1), shot(1, 0)],
      { 1: [3, 2, 1], 2: [3, 2, 1], 3: [3, 2, 1] },
    ],
    ['without a time or a camera nobody knows', [shot(1, null), shot(2, null), shot(3, 0, null), shot(4, 1, null)], {}],
  ])('%s', (_, shots, bursts) => {
    expect(Object.fromEntries(burstsOf(shots))).toEqual(bursts);
  });

  test('leaves out photos that someone else is tagging', () => {
    const photos = [deskPhoto(1), deskPhoto(2, { isTaken: true }), deskPhoto(3), deskPhoto(4)];
    const bursts = new Map([[1, [1, 2, 3]]]);
    const ids = (place: number) => burstOf(photos, bursts, photos[place] ?? deskPhoto(0)).map(({ id }) => id);
    expect([ids(0), ids(3)]).toEqual([[1, 3], [4]]);
  });
});

describe('a step', () => {
  const photos = [
    deskPhoto(1),
    deskPhoto(2, { tags: [MAYA] }),
    deskPhoto(3, { isChecked: true }),
    deskPhoto(4, { tags: [MAYA, LEO] }),
  ];
  const at = (place: number) => photos[place] ?? deskPhoto(0);

  test.each([
    ['tags', addTags([at(0)], [MAYA, BARE])],
    ['tags of a burst, where some have one already', addTags(photos, [MAYA])],
    ['a tag on a photo with nobody', addTags([at(2)], [LEO])],
    ['one tag removed', removeTag(at(3), LEO)],
    ['nobody here', nobodyHere(at(3))],
    ['the same as before', sameAsBefore(at(0), at(3)) ?? []],
    ['nobody, as before', sameAsBefore(at(0), at(2)) ?? []],
    ['hidden', hidePhoto(at(0))],
  ])('%s is undone exactly', (_, changes) => {
    expect(changes.length).toBeGreaterThan(0);
    const done = changed(photos, changes);
    expect(done).not.toEqual(photos);
    const back = changed(done, reversed(changes));
    const sorted = (some: readonly DeskPhoto[]) =>
      some.map((one) => ({ ...one, tags: one.tags.map((tag) => tag.number).toSorted() }));
    expect(sorted(back)).toEqual(sorted(photos));
    expect(doneBy(done, reversed(changes)) + doneBy(photos, changes)).toBe(0);
  });

  test('counts the photos that it finished', () => {
    expect(doneBy(photos, addTags(photos, [LEO]))).toBe(1);
    expect(doneBy(photos, nobodyHere(at(0)))).toBe(1);
    expect(doneBy(photos, removeTag(at(1), MAYA))).toBe(-1);
    expect(doneBy(photos, hidePhoto(at(0)))).toBe(0);
  });

  test('changes nothing if nothing is new', () => {
    expect(addTags([at(1)], [MAYA])).toEqual([]);
    expect(nobodyHere(at(2))).toEqual([]);
    expect(hidePhoto(deskPhoto(1, { isShown: false }))).toEqual([]);
    expect(sameAsBefore(at(1), at(0))).toBeNull();
    expect(changed(photos, [])).toEqual(photos);
  });

  test('skips photos that someone else is tagging, and a finished burst', () => {
    const run = [
      deskPhoto(1),
      deskPhoto(2, { isTaken: true }),
      deskPhoto(3),
      deskPhoto(4),
      deskPhoto(5, { isTaken: true }),
    ];
    expect([placeAfter(run, 0), placeAfter(run, 3), placeBefore(run, 2), placeBefore(run, 0)]).toEqual([2, 3, 0, 0]);
    expect(placeAfter(run, 0, new Set([1, 3]))).toBe(3);
    expect([firstOpen(run), firstOpen(photos), firstOpen([deskPhoto(1, { isTaken: true })])]).toEqual([0, 0, -1]);
  });

  test('is sent with equal changes together', () => {
    const burst = addTags([deskPhoto(1), deskPhoto(2), deskPhoto(3), deskPhoto(4, { tags: [MAYA] })], [MAYA, BARE]);
    const [maya, bare] = [{ athlete_id: 1 }, { team_id: 1, number: '41' }];
    expect(wireChanges(burst, 'burst')).toEqual([
      { photo_ids: [1, 2, 3], add: [maya, bare], remove: [], how: 'burst' },
      { photo_ids: [4], add: [bare], remove: [], how: 'burst' },
    ]);
    expect(wireChanges(nobodyHere(deskPhoto(1)))).toEqual([
      { photo_ids: [1], add: [], remove: [], checked: true, how: 'hand' },
    ]);
    expect(wireChanges(hidePhoto(deskPhoto(1)))).toEqual([]);
  });

  test('is sent within the limits of a call', () => {
    const photos = Array.from({ length: 150 }, (_, id) => deskPhoto(id));
    const team = Array.from({ length: 70 }, (_, id): DeskTag => ({ ...MAYA, athleteId: id }));
    const sizes = wireChanges(addTags(photos, team)).map((change) => [change.photo_ids.length, change.add.length]);
    expect(sizes).toEqual([
      [100, 60],
      [50, 60],
      [100, 10],
      [50, 10],
    ]);
  });
});

describe('the speed', () => {
  const every = (seconds: number, times: number, photos = 1): Pace =>
    Array.from({ length: times }, (_, place) => ({ at: place * seconds * 1_000, photos }));
  test.each<[string, Pace, number | null]>([
    ['too few photos tell nothing', every(2, 3), null],
    ['one each two seconds', every(2, 10), 30],
    ['bursts count all their photos', every(6, 10, 5), 50],
    ['a pause is not tagging', [...every(2, 10), { at: 3_600_000, photos: 1 }], 600 / 38],
    ['an instant tells nothing', every(0, 10), null],
  ])('%s', (_, pace, speed) => {
    const found = perMinute(pace);
    if (speed === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(speed);
  });

  test('forgets the oldest work, and undone work', () => {
    let pace: Pace = [];
    for (let at = 0; at < 100; at += 1) pace = afterWork(pace, at, 1);
    expect([pace.length, pace[0]?.at]).toEqual([40, 60]);
    expect(afterUndo(pace)).toHaveLength(39);
    expect(afterWork(pace, 100, 0)).toBe(pace);
  });
});

test.each([
  [412, 1_380, 38, '412 of 1,380 tagged · 38 a minute · about 25 minutes left'],
  [412, 1_380, null, '412 of 1,380 tagged'],
  [1_380, 1_380, 38, '1,380 of 1,380 tagged'],
  [1_370, 1_380, 38, '1,370 of 1,380 tagged · 38 a minute · less than a minute left'],
  [1_340, 1_380, 38, '1,340 of 1,380 tagged · 38 a minute · about 1 minute left'],
  [0, 20_000, 20, '0 of 20,000 tagged · 20 a minute · about 17 hours left'],
])('%i of %i at %s', (tagged, total, speed, words) => {
  expect(speedWords(tagged, total, speed)).toBe(words);
});

test.each([
  [{ tagged: 412, waiting: 0, isOffline: false }, '412 tagged, all saved'],
  [{ tagged: 412, waiting: 0, isOffline: true }, '412 tagged, all saved'],
  [{ tagged: 412, waiting: 3, isOffline: false }, 'saving 3…'],
  [{ tagged: 412, waiting: 27, isOffline: true }, 'offline, 27 kept here'],
])('%j: %s', (state, words) => {
  expect(trayWords(state)).toBe(words);
});

test('children who must not be published are named together', () => {
  expect(mustNotBePublished(['Maya R.'], 1)).toBe('Maya R. must not be published. This photo is now hidden.');
  expect(mustNotBePublished(['Maya R.', 'Leo B.'], 1)).toMatch(/^Maya R. and Leo B. must not/);
  expect(mustNotBePublished(['Maya R.'], 12)).toMatch(/12 photos are now hidden\.$/);
  expect(onlyForFamily(['A', 'B', 'C'], 1)).toBe(
    'A, B and C may be shown only to the family. This photo is now hidden.',
  );
});
