/** Forms that are pressed before the script of their page runs (docs/style.md, "React"). */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FORM = /<form\b[^]*?>\n/g;

test('every form has a method: without one, what is typed would be in the address', () => {
  const files = globSync('src/**/*.tsx', { exclude: ['**/*.test.tsx'] });
  const forms = files.flatMap((file) => readFileSync(file, 'utf8').match(FORM) ?? []);
  expect(forms.length).toBeGreaterThan(40);
  expect(forms.filter((form) => !form.includes('method='))).toEqual([]);
});
