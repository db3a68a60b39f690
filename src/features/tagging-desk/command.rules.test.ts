import { describe, expect, test } from 'vitest';
import {
  actionOf,
  narrowed,
  readCommand,
  type Answer,
  type Reading,
} from '#src/features/tagging-desk/command.rules.ts';
import { tagWords, type DeskPlayer, type DeskRoster } from '#src/features/tagging-desk/desk-model.rules.ts';

const HAWKS = { id: 1, name: 'Hawks U12', shortName: 'Hawks' };
const TIDES = { id: 2, name: 'Tides U12', shortName: 'Tides' };
let lastId = 0;
function player(name: string, number: string | null, teamId = 1, full = name): DeskPlayer {
  const plain = full.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return { athleteId: ++lastId, name, folded: plain.replace('.', ''), teamId, number, consent: 'yes' };
}
const MAYA = player('Maya R.', '10');
const LEO = player('Leo B.', '7');
const ZOE = player('Zoë Marín', '23');
const ANA = player('Ana M.', '10', 2);
const MAY = player('May T.', '07', 2);
const GUS = player('Gus P.', null, 2);
const ONE_TEAM: DeskRoster = { teams: [HAWKS], players: [MAYA, LEO, ZOE] };
const TWO_TEAMS: DeskRoster = { teams: [HAWKS, TIDES], players: [MAYA, LEO, ZOE, ANA, MAY, GUS] };
const TWO_TENS: DeskRoster = { teams: [HAWKS], players: [...ONE_TEAM.players, player('Kim S.', '10')] };
const NO_PLAYERS: DeskRoster = { teams: [HAWKS], players: [] };

const said = (reading: Reading, roster: DeskRoster) =>
  reading.kind === 'tags'
    ? reading.tags.map((tag) => tagWords(tag, roster)).join(' + ')
    : 'text' in reading
      ? reading.text
      : reading.kind;

describe('a typed line', () => {
  test.each<[line: string, answers: Answer[], result: string]>([
    ['10', [], '10 Maya R.'],
    ['  10  ', [], '10 Maya R.'],
    ['10 7 23', [], '10 Maya R. + 7 Leo B. + 23 Zoë Marín'],
    ['10, 7,23', [], '10 Maya R. + 7 Leo B. + 23 Zoë Marín'],
    ['#10 + #7', [], '10 Maya R. + 7 Leo B.'],
    ['10 10', [], '10 Maya R.'],
    ['h10', [], '10 Maya R.'],
    ['H10', [], '10 Maya R.'],
    ['1.10', [], '10 Maya R.'],
    ['a10', [], '“a10” is not a team. Use 1. or h, 2. or a before the number.'],
    ['may', [], '10 Maya R.'],
    ['MAYA r', [], '10 Maya R.'],
    ['marin', [], '23 Zoë Marín'],
    ['zoe', [], '23 Zoë Marín'],
    ['may 7', [], '10 Maya R. + 7 Leo B.'],
    ['leo maya', [], '7 Leo B. + 10 Maya R.'],
    ['bob', [], 'Nobody on these teams is called “bob”.'],
    ['41', [], 'Nobody on these teams wears 41. Tag the number anyway? ⏎'],
    ['41', ['yes'], '41'],
    ['10 41', [], 'Nobody on these teams wears 41. Tag the number anyway? ⏎'],
    ['10 41', ['yes'], '10 Maya R. + 41'],
    ['010', [], 'Nobody on these teams wears 010. Tag the number anyway? ⏎'],
    ['12345', [], 'Nobody on these teams is called “12345”.'],
    ['', [], 'nothing'],
    ['   ', [], 'nothing'],
    ['x', [], 'hide'],
    ['X', [], 'hide'],
    ['g', [], '10 Maya R. + 7 Leo B. + 23 Zoë Marín'],
  ])('with one team: “%s” %j → %s', (line, answers, result) => {
    expect(said(readCommand(line, ONE_TEAM, answers), ONE_TEAM)).toBe(result);
  });

  test.each<[line: string, answers: Answer[], result: string]>([
    ['10', [], 'Two players wear 10. Press 1 for Hawks, 2 for Tides.'],
    ['10', [0], 'Hawks 10 Maya R.'],
    ['10', [1], 'Tides 10 Ana M.'],
    ['10', [7], 'Two players wear 10. Press 1 for Hawks, 2 for Tides.'],
    ['h10', [], 'Hawks 10 Maya R.'],
    ['a10', [], 'Tides 10 Ana M.'],
    ['2.10', [], 'Tides 10 Ana M.'],
    ['3.10', [], '“3.10” is not a team. Use 1. or h, 2. or a before the number.'],
    ['7', [], 'Hawks 7 Leo B.'],
    ['07', [], 'Tides 07 May T.'],
    ['10 7', [1], 'Tides 10 Ana M. + Hawks 7 Leo B.'],
    ['h10 a10', [], 'Hawks 10 Maya R. + Tides 10 Ana M.'],
    ['may', [], 'Two players match “may”. Press 1 for Maya R., 2 for May T.'],
    ['may', [1], 'Tides 07 May T.'],
    ['may 10', [0], 'Two players wear 10. Press 1 for Hawks, 2 for Tides.'],
    ['may 10', [0, 1], 'Hawks 10 Maya R. + Tides 10 Ana M.'],
    ['41', [], 'Nobody on these teams wears 41. Tag the number anyway? ⏎'],
    ['41', ['yes'], 'Which team wears 41? Press 1 for Hawks, 2 for Tides.'],
    ['41', ['yes', 1], 'Tides 41'],
    ['a41', ['yes'], 'Tides 41'],
    ['a7', [], 'Nobody on these teams wears 7. Tag the number anyway? ⏎'],
    ['gus', [], 'Tides Gus P.'],
    ['g', [], 'Whose team picture is this? Press 1 for Hawks, 2 for Tides.'],
    ['g', [1], 'Tides 10 Ana M. + Tides 07 May T. + Tides Gus P.'],
  ])('with two teams: “%s” %j → %s', (line, answers, result) => {
    expect(said(readCommand(line, TWO_TEAMS, answers), TWO_TEAMS)).toBe(result);
  });

  test('two players of one team with one number are distinguished by their names', () => {
    expect(said(readCommand('10', TWO_TENS), TWO_TENS)).toBe('Two players wear 10. Press 1 for Maya R., 2 for Kim S.');
    expect(said(readCommand('10', TWO_TENS, [1]), TWO_TENS)).toBe('10 Kim S.');
  });

  test('no question is asked without a roster', () => {
    expect(readCommand('41', NO_PLAYERS)).toEqual({
      kind: 'tags',
      tags: [{ athleteId: null, teamId: 1, number: '41', name: null }],
    });
    expect(said(readCommand('g', NO_PLAYERS), NO_PLAYERS)).toBe('No one is on the roster of Hawks U12 yet.');
  });

  test('ten players with one name are too many to choose from', () => {
    const roster = { teams: [HAWKS], players: Array.from({ length: 10 }, (_, at) => player(`Sam ${at}`, String(at))) };
    expect(said(readCommand('sam', roster), roster)).toBe('10 players match “sam”. Type more letters.');
  });
});

test.each<[text: string, names: string[]]>([
  ['', ['Maya R.', 'Leo B.', 'Zoë Marín', 'Ana M.', 'May T.', 'Gus P.']],
  ['1', ['Maya R.', 'Ana M.']],
  ['a', ['Ana M.']],
  ['a1', ['Ana M.']],
  ['h', []],
  ['h1', ['Maya R.']],
  ['2.', ['Ana M.', 'May T.', 'Gus P.']],
  ['ma', ['Maya R.', 'Zoë Marín', 'May T.']],
  ['10 le', ['Leo B.']],
  ['10 ', ['Maya R.', 'Leo B.', 'Zoë Marín', 'Ana M.', 'May T.', 'Gus P.']],
  ['q', []],
])('while “%s” is typed, the list shows %j', (text, names) => {
  expect(narrowed(text, TWO_TEAMS).map(({ name }) => name)).toEqual(names);
});

describe('a key', () => {
  const press = (key: string, more: Partial<Parameters<typeof actionOf>[0]> = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    isComposing: false,
    ...more,
  });
  const asked: Reading = { kind: 'question', text: '', options: ['Hawks', 'Tides'] };
  const confirm: Reading = { kind: 'confirm', text: '' };

  test.each<[string, ReturnType<typeof press>, string, Reading | null, unknown]>([
    ['⏎', press('Enter'), '10', null, { do: 'enter', burst: false }],
    ['Shift+⏎', press('Enter', { shiftKey: true }), '10', null, { do: 'enter', burst: true }],
    ['. alone', press('.'), '', null, { do: 'same' }],
    ['. after 1', press('.'), '1', null, null],
    ['- alone', press('-'), '', null, { do: 'nobody' }],
    ['? alone', press('?', { shiftKey: true }), '', null, { do: 'help' }],
    ['→', press('ArrowRight'), '', null, { do: 'step', by: 1 }],
    ['← within a line', press('ArrowLeft'), '10', null, null],
    ['Home', press('Home'), '', null, { do: 'first' }],
    ['Esc', press('Escape'), '10', null, { do: 'clear' }],
    ['Ctrl+Z', press('z', { ctrlKey: true }), '', null, { do: 'undo' }],
    ['Ctrl+Z while typing', press('z', { ctrlKey: true }), '1', null, { do: 'clear' }],
    ['⌘Z', press('z', { metaKey: true }), '', null, { do: 'undo' }],
    ['Ctrl+C', press('c', { ctrlKey: true }), '', null, null],
    ['a letter', press('g'), '', null, null],
    ['a digit', press('1'), '', null, null],
    ['1, asked', press('1'), '10', asked, { do: 'answer', answer: 0 }],
    ['2, asked', press('2'), '10', asked, { do: 'answer', answer: 1 }],
    ['3 of two, asked', press('3'), '10', asked, null],
    ['⏎, asked', press('Enter'), '41', confirm, { do: 'answer', answer: 'yes' }],
    ['⏎ of an unfinished word', press('Enter', { isComposing: true }), 'ま', null, null],
  ])('%s', (_, event, text, question, action) => {
    expect(actionOf(event, text, question)).toEqual(action);
  });
});
