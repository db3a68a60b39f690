/** What code and documents cite inside the repository is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', /\.md$/)];
const code = ['src', 'tests', 'scripts', 'migrations'].flatMap((folder) => filesBelow(folder, /\.(tsx?|mjs|css|sql)$/));

test('links between documents lead somewhere', () => {
  const links = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({
      file,
      target: normalize(join(dirname(file), decodeURIComponent(target))),
    })),
  );
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('documents that code cites are there', () => {
  const cited = code.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([target]) => ({ file, target })),
  );
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('files of the product that documents name are there', () => {
  const named = documents
    .filter((file) => !file.startsWith('docs/decisions/'))
    .flatMap((file) =>
      [...read(file).matchAll(/`((?:src|tests|scripts|migrations)\/[\w./-]+\.(?:tsx?|mjs|sql|css))`/g)].map(
        ([, target = '']) => ({ file, target }),
      ),
    );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('every decision is in the index', () => {
  const index = read('docs/decisions/README.md');
  const notes = readdirSync(join(ROOT, 'docs/decisions')).filter((file) => /^\d{4}-/.test(file));
  expect(notes.filter((file) => !index.includes(`(${file})`))).toEqual([]);
});
