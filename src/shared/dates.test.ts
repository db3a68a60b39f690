import { expect, test } from 'vitest';
import { machineDay, publicDay, publicMoment } from '#src/shared/dates.ts';

test.each([
  ['2026-11-21T12:00:00Z', 'America/New_York', '11.21.2026', '2026-11-21'],
  ['2026-11-22T02:30:00Z', 'America/New_York', '11.21.2026', '2026-11-21'],
  ['2026-01-01T04:59:59Z', 'America/New_York', '12.31.2025', '2025-12-31'],
  ['2026-03-05T00:00:00Z', 'UTC', '03.05.2026', '2026-03-05'],
])('%s in %s is %s', (moment, zone, shown, machine) => {
  expect(publicDay(new Date(moment), zone)).toBe(shown);
  expect(machineDay(new Date(moment), zone)).toBe(machine);
});

test.each([
  ['2026-11-21T12:00:00Z', 'America/New_York', '11.21.2026, 7:00 AM'],
  ['2026-11-22T05:05:00Z', 'America/New_York', '11.22.2026, 12:05 AM'],
  ['2026-11-22T17:05:00Z', 'UTC', '11.22.2026, 5:05 PM'],
  ['2026-07-01T16:00:00Z', 'America/New_York', '07.01.2026, 12:00 PM'],
])('%s in %s is %s, with a plain space', (moment, zone, shown) => {
  expect(publicMoment(new Date(moment), zone)).toBe(shown);
});
