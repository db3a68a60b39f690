import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notesOf, readChangelog } from '#src/features/version/changelog.rules.ts';

const ROOT = join(import.meta.dirname, '../../..');
const own = readChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));

test('releases, headings and points are parsed without markup, and continued lines belong to one point', () => {
  const text = `# Changelog\n\nRead [this](x.md).\n\n## Unreleased\n\n## 0.2.0 - 2026-11-23\n\n- Alone.\n\n### For operators\n- Set \`A\` as\n  [here](y.md) it says.\n- More.\n`;
  expect(readChangelog(text)).toEqual([
    { name: 'Unreleased', date: null, groups: [] },
    {
      name: '0.2.0',
      date: '2026-11-23',
      groups: [
        { heading: null, points: ['Alone.'] },
        { heading: 'For operators', points: ['Set A as here it says.', 'More.'] },
      ],
    },
  ]);
});

test('operators see unreleased changes and the running release, without empty headings', () => {
  const group = [{ heading: null, points: ['x'] }];
  const releases = [
    { name: 'Unreleased', date: null, groups: [] },
    { name: '0.2.0', date: '2026-11-23', groups: group },
    { name: '0.1.0', date: '2026-11-22', groups: group },
  ];
  expect(notesOf(releases, '0.2.0').map(({ name }) => name)).toEqual(['0.2.0']);
  expect(notesOf([{ name: 'Unreleased', date: null, groups: group }], '0.2.0')).toHaveLength(1);
});

test('CHANGELOG.md has the version of package.json as its newest release', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const [unreleased, ...releases] = own;
  expect(unreleased?.name).toBe('Unreleased');
  expect(releases[0]?.name).toBe(version);
  for (const { name, date, groups } of releases)
    expect([/^\d+\.\d+\.\d+$/.test(name), date === null, groups.length > 0], name).toEqual([true, false, true]);
});
