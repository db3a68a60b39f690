import { expect, test } from 'vitest';
import { machineDay, publicDay } from '#src/shared/dates.ts';

test.each([
  ['2026-11-21T12:00:00Z', 'America/New_York', '11.21.2026', '2026-11-21'],
  ['2026-11-22T02:30:00Z', 'America/New_York', '11.21.2026', '2026-11-21'],
  ['2026-01-01T04:59:59Z', 'America/New_York', '12.31.2025', '2025-12-31'],
  ['2026-03-05T00:00:00Z', 'UTC', '03.05.2026', '2026-03-05'],
])('%s in %s is %s', (moment, zone, shown, machine) => {
  expect(publicDay(new Date(moment), zone)).toBe(shown);
  expect(machineDay(new Date(moment), zone)).toBe(machine);
});
