/** What code and documents cite inside the repository exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { MUTATIONS, type Mutation } from '#tests/support/mutations.ts';

const ROOT = join(import.meta.dirname, '..');
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', /\.md$/)];
/** All files except this test, whose cases cite what does not exist. */
const code = ['src', 'tests', 'scripts', 'migrations']
  .flatMap((folder) => filesBelow(folder, /\.(tsx?|mjs|css|sql)$/))
  .filter((file) => file !== join('tests', 'citations.test.ts'));

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

/** Whether a line could end within 100 columns: it has a space there that is in no code, link or bullet. */
const couldWrap = (line: string) =>
  [...line.replaceAll(/`[^`]*`|!?\[[^\]]*\]\([^)]*\)|^\s*(?:(?:[-*]|\d+\.) +)?/g, (whole) => '_'.repeat(whole.length))]
    .slice(0, 101)
    .includes(' ');

test('documents are wrapped at 100 columns, but for tables, and for code and links that are longer', () => {
  const long = documents.flatMap((file) =>
    read(file)
      .replaceAll(/^ *```.*?^ *```/gms, (block) => block.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .map((line, at) => ({ line, place: `${file}:${at + 1}` }))
      .filter(({ line }) => [...line].length > 100 && !line.startsWith('|') && couldWrap(line)),
  );
  expect(long).toEqual([]);
});

test('documents that code cites exist', () => {
  const cited = code.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w./-]+\.md\b/g)].map(([target]) => ({ file, target })),
  );
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('files of the product that documents name exist', () => {
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

test('files that comments name exist', () => {
  const files = ['src', 'tests', 'scripts', 'migrations', 'uploader', 'demo', 'deploy'].flatMap((folder) =>
    filesBelow(folder, /\.\w+$/),
  );
  const known = new Set(files.concat(readdirSync(ROOT)).flatMap((file) => tailsOf(file)));
  const named = code.flatMap((file) =>
    [...read(file).matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/(?<![\w./*-])#?([\w-][\w./-]*\.(?:tsx?|mjs|sql|css))\b/g)].map(([, target = '']) => ({
        file,
        target,
      })),
    ),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ target }) => !known.has(target))).toEqual([]);
});

/** A path, and all its ends: `a/b.ts` and `b.ts`. */
function tailsOf(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

test('the map in the README names existing files, and what is in them', () => {
  const files = ['src', 'deploy', 'tests'].flatMap((folder) => filesBelow(folder, /\.\w+$/));
  const cited = [...read('README.md').matchAll(/(?:`(\w+)` (?:and `(\w+)` )?in )?`([\w/-]+\.[\w.-]*tsx?)`/g)];
  expect(cited.length).toBeGreaterThan(120);
  const wrong = cited.filter(([, one = '', other = '', file = '']) => {
    const found = files.filter((each) => `/${each}`.endsWith(`/${file}`));
    return found.length === 0 || !found.some((each) => read(each).includes(one) && read(each).includes(other));
  });
  expect(wrong.map(([text]) => text)).toEqual([]);
});

test('the table of functions has every function of the database, and its newest migration', () => {
  const newest = new Map<string, string>();
  for (const file of filesBelow('migrations', /\.sql$/).toSorted())
    for (const [, does, name = ''] of read(file).matchAll(
      /^(create (?:or replace )?|drop )function (?:if exists )?(\w+)/gm,
    ))
      if (does === 'drop ') newest.delete(name);
      else newest.set(name, basename(file).slice(0, 4));
  const listed = [...read('docs/architecture.md').matchAll(/^\| [^|]+ \| (`[^|]+) \| (\d{4}[^|]*) \|$/gm)].flatMap(
    ([, names = '', numbers = '']) =>
      names
        .split(';')
        .flatMap((group, at) =>
          [...group.matchAll(/`(\w+)`/g)].map(
            ([, name = '']) => [name, /\d{4}/.exec(numbers.split(';')[at] ?? numbers)?.[0] ?? ''] as const,
          ),
        ),
  );
  expect(newest.size).toBeGreaterThan(60);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(newest));
});

test('each number belongs to one migration, except two pairs that releases have run', () => {
  const numbers = filesBelow('migrations', /\.sql$/).map((file) => basename(file).slice(0, 4));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual(['0080', '0168']);
});

test('the index of decision records repeats their titles and states', () => {
  const rows = readdirSync(join(ROOT, 'docs/decisions'))
    .filter((file) => /^\d{4}-/.test(file))
    .map((file) => {
      const [, title, status] =
        /^# \d{4} ([A-Z].*)\n\n\d{4}-\d\d-\d\d\. ((?:In force|Superseded by)(?:[^.(]|\([^)]*\))*)\.(?=\s)/.exec(
          read(join('docs/decisions', file)),
        ) ?? [file, 'has no title', 'and no status'];
      return `| [${file.slice(0, 4)}](${file}) | ${title} | ${status?.replaceAll('\n', ' ').replace(/^[IS]/, (letter) => letter.toLowerCase())} |`;
    });
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !read('docs/decisions/README.md').includes(`${row}\n`))).toEqual([]);
});

const REQUIREMENTS = 'docs/requirements';
/** Which test shows each fault, threat, bad input and invariant. */
const SHOWN = 'docs/faults-and-threats.md';
/** The entries of a page begin a list item or a table's row: `- **53** …`, `| **P12** | …`. */
const entriesOf = (page: string) =>
  [...read(join(REQUIREMENTS, page)).matchAll(/^(?:- |\| )\*\*([A-Z]?\d+)\*\*/gm)].map(([, entry = '']) => entry);
const rules = entriesOf('rules.md');
const records = readdirSync(join(ROOT, 'docs/decisions')).flatMap((file) => file.match(/^\d{4}(?=-.*\.md$)/) ?? []);

/** What can be cited by number: the word, the format of its numbers, and all that exist. */
const NUMBERED: [string, RegExp, readonly string[]][] = [
  ['rule', /\d{1,2}/, rules],
  ['money', /M\d+/, entriesOf('money.md')],
  ['comparison', /R\d/, entriesOf('money.md')],
  ['threat', /D?\d{1,2}/, entriesOf('threats.md')],
  ['fault', /F\d+/, entriesOf('faults.md')],
  ['invariant', /I\d+/, entriesOf('faults.md')],
  ['bad input', /\d{1,3}/, entriesOf('bad-inputs.md')],
  ['speed', /P\d+/, entriesOf('speed.md')],
  ['decision record', /\d{4}/, records],
];
const SECTIONS = [...read(join(REQUIREMENTS, 'specification.md')).matchAll(/^### ([PA]§[\d.]+)/gm)].map(([, at]) => at);
const AND = /, and |, | and | to |-/;

/** Comments and paragraphs on one line, so that a line break within a citation does not matter. */
const flat = (text: string) => text.replaceAll(/\s*\n[ \t]*(?:\*(?!\*)|\/\/|--|#|>)?[ \t]*/g, ' ');

/** "8, 9 and 11-13" as numbers. */
const listed = (list: string) =>
  list.split(/, and |, | and /).flatMap((part) => {
    const [first = '', last = first] = part.split(/ to |-/);
    const letter = first.replace(/\d+$/, '');
    const from = Number(first.slice(letter.length));
    const count = Number(last.slice(letter.length)) - from + 1;
    return Array.from({ length: count }, (_, at) => (count === 1 ? first : `${letter}${from + at}`));
  });

/** What a text cites, each as "rule 53", and whether it exists. */
function citations(text: string): { cited: string; found: boolean }[] {
  const line = flat(text);
  const numbered = NUMBERED.flatMap(([word, { source: number }, entries]) =>
    [...line.matchAll(new RegExp(`\\b${word}s? (${number}(?:(?:${AND.source})${number})*)(?![\\w%])`, 'gi'))]
      .flatMap(([, list = '']) => listed(list))
      .map((cited) => ({ cited: `${word} ${cited}`, found: entries.includes(cited) })),
  );
  const sections = [...line.matchAll(/([PA]§)(\d(?:\.\d)?(?:(?:, |-|–)\d(?:\.\d)?(?![\d%]))*)/g)].flatMap(
    ([, part = '', list = '']) =>
      listed(list.replace('–', '-')).map((at) => ({ cited: part + at, found: SECTIONS.includes(part + at) })),
  );
  return [...numbered, ...sections];
}

test('requirements and decision records that code and documents cite exist', () => {
  const all = [...code, ...documents].flatMap((file) =>
    citations(read(file)).map((citation) => ({ file, ...citation })),
  );
  for (const [word] of NUMBERED)
    expect(all.filter(({ cited }) => cited.startsWith(`${word} `)).length, word).toBeGreaterThan(3);
  expect(all.filter(({ cited }) => cited.includes('§')).length).toBeGreaterThan(300);
  expect(all.filter(({ found }) => !found)).toEqual([]);
});

test.each([
  ['a rule', '(specification A§2; rule 98)', ['rule 98']],
  ['one of several rules', 'rules 7, 97 and 47', ['rule 97']],
  ['the end of a range', 'faults F38-F41', ['fault F40', 'fault F41']],
  ['a number on the next line of a comment', ' * A photo (threat\n * D99).', ['threat D99']],
  ['a bad input', 'Bad input 999, each way.', ['bad input 999']],
  ['a section', 'specification P§2.4, 5, 2.9; A§10', ['P§2.9']],
  ['a decision record', 'see decision record 9999', ['decision record 9999']],
])('%s that does not exist is found', (_, text, missing) => {
  expect(citations(text).flatMap(({ cited, found }) => (found ? [] : [cited]))).toEqual(missing);
});

test('numbers of requirements, decision records and capabilities are used once', () => {
  const capabilities = [...read('docs/features.md').matchAll(/^\| ([A-Z]+\d+\w?) /gm)].map(([, id = '']) => id);
  expect(capabilities.length).toBeGreaterThan(100);
  const pages = readdirSync(join(ROOT, REQUIREMENTS)).map((page) => [page, entriesOf(page)] as const);
  for (const [page, numbers] of [...pages, ['decision records', records], ['capabilities', capabilities]] as const)
    expect(numbers, page).toEqual([...new Set(numbers)]);
});

test('migrations cite rules by their older name', () => {
  const cited = filesBelow('migrations', /\.sql$/).flatMap((file) =>
    [...flat(read(file)).matchAll(/\bdecisions? (\d{1,2}(?:(?:, | and )\d{1,2})*)\b/gi)].flatMap(([, list = '']) =>
      listed(list),
    ),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter((rule) => !rules.includes(rule))).toEqual([]);
});

test('nothing outside the repository is cited, and citations have one form', () => {
  const other =
    /\bissues? \d+\b|\bdecisions? \d+\b|\bnotes? \d{4}\b|\b(?:money|faults|threats|offers|people)\.md \d|\bdesign\/[a-z]+\b/gi;
  const cited = [...code.filter((file) => !file.startsWith('migrations')), ...documents]
    .filter((file) => file !== 'docs/requirements/README.md')
    .flatMap((file) => [...flat(read(file)).matchAll(other)].map(([text]) => ({ file, text })));
  expect(cited).toEqual([]);
});

test('tests and pages that the table of features names exist', () => {
  const tests = new Set(
    ['src', 'tests'].flatMap((folder) =>
      filesBelow(folder, /\.test\.tsx?$/).map((file) =>
        file.replace(/^(src\/features|src|tests)\//, '').replace(/\.test\.tsx?$/, ''),
      ),
    ),
  );
  const pages = new Set(filesBelow('src/features', /\.page\.tsx$/).map((file) => file.slice(13, -9)));
  const rows = read('docs/features.md')
    .split('\n')
    .filter((line) => /^\| [A-Z]+\d/.test(line))
    .map((line) => line.split('|'));
  const namesIn = (cell = '') => [...cell.matchAll(/(?<![\w/.-])[\w-]+(?:\/[\w.-]+)+/g)].map(([name]) => name);
  const named = rows.flatMap((cells) => namesIn(cells.at(-2)));
  expect(named.length).toBeGreaterThan(250);
  expect(named.filter((name) => !tests.has(name))).toEqual([]);
  // A name without a folder is of the module named before it; its folder is not checked.
  const short = rows.flatMap((cells) =>
    (cells.at(-2) ?? '').split(',').flatMap((name) => /^[\w.-]+$/.exec(name.trim()) ?? []),
  );
  const basenames = new Set([...tests].map((name) => basename(name)));
  expect(short.length).toBeGreaterThan(40);
  expect(short.filter((name) => !basenames.has(name))).toEqual([]);
  const shown = rows.flatMap((cells) =>
    [...(cells[6] ?? '').matchAll(/\((?!(?:web|ui)\/)([\w-]+\/[\w-]+)\)/g)].map(([, name = '']) => name),
  );
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((name) => !pages.has(name))).toEqual([]);
});

/** Texts that are the first argument of a call, with a function behind them. */
const titlesOf = (file: string) =>
  new Set(
    [...read(file).matchAll(/\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:\{[^}]*\},\s*)?(?:async )?\(/g)].map(
      ([, , title = '']) => title,
    ),
  );

test('tests that the tables of faults and threats name exist', () => {
  const named = [...read(SHOWN).matchAll(/`((?:src|tests)\/[\w./-]+\.test\.tsx?)`((?:,? "[^"]+")*)/g)].flatMap(
    ([, file = '', titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
  expect(named.length).toBeGreaterThan(500);
  expect(named.filter(({ file, title }) => !existsSync(join(ROOT, file)) || !titlesOf(file).has(title))).toEqual([]);
});

const invariantsOfCode = filesBelow('src/features/ledger', /^invariants[\w-]*\.sql\.ts$/).flatMap((file) =>
  [...read(file).matchAll(/^ +name: '([^']+)'/gm)].map(([, name = '']) => name),
);

test.each([
  ['Faults', ['F1-F40'], entriesOf('faults.md').filter((entry) => entry.startsWith('F'))],
  ['Threats', ['1-78', 'D1-D20'], entriesOf('threats.md')],
  ['Bad inputs', ['1-137'], entriesOf('bad-inputs.md')],
  ['Invariants', ['I1-I13'], [...entriesOf('faults.md').filter((entry) => entry.startsWith('I')), ...invariantsOfCode]],
])('the table of %s has each number once, with its test or why there is none', (heading, ranges, entries) => {
  const table =
    read(SHOWN)
      .split(/^## /m)
      .find((section) => section.startsWith(`${heading}\n`)) ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].slice(1);
  const numbers = rows.flatMap(([, list = '']) =>
    list.split(', ').flatMap((part) => (/\d/.test(part) ? listed(part) : part)),
  );
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  expect([...ranges.flatMap(listed), ...entries].filter((entry) => !numbers.includes(entry))).toEqual([]);
  expect(rows.filter(([, , shown = '']) => !/"|\bnone\b.*\bbecause\b/.test(shown))).toEqual([]);
});

test('each mistake of `npm run mutations` has exactly one place in the code', () => {
  const texts = code.filter((file) => /^src\/.*(?<!\.test)\.tsx?$/.test(file)).map(read);
  const placesOf = ({ from }: Mutation) => texts.filter((text) => text.includes(from)).length;
  expect(MUTATIONS.length).toBeGreaterThan(60);
  expect(MUTATIONS.filter((mutation) => placesOf(mutation) !== 1).map(({ what }) => what)).toEqual([]);
});
