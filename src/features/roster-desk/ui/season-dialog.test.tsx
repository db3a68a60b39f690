// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SeasonDialog } from '#src/features/roster-desk/ui/season-dialog.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const NOTHING = () => undefined;

test.each([
  ['2027-07-31', '2027-08-01', '2028-07-31'],
  ['2028-02-29', '2028-03-01', '2029-02-28'],
])('the season after one that ends on %s is proposed from the next day to a year later', (last, from, to) => {
  const season = { id: 1, name: 'Fall', first_day: '2026-08-01', last_day: last, current: true, teams: 1, athletes: 1 };
  show(<SeasonDialog organizationId={1} from={season} isYearly={false} onClose={NOTHING} onMade={NOTHING} />);
  const valueOf = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect([valueOf(/First day/), valueOf(/Last day/)]).toEqual([from, to]);
});
