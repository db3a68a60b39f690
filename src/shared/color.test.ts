import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accentTokens, DEFAULT_ACCENT, GROUNDS, READABLE } from '#src/shared/color.ts';
import { contrast, parseHex, toHex, toOklch } from '#src/shared/oklch.ts';

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('a club may pick any color', () => {
  test('gets readable text on the accent and in the accent in both themes', () => {
    fc.assert(
      fc.property(anyColor, (hex) => {
        for (const theme of ['light', 'dark'] as const) {
          const tokens = accentTokens(hex)[theme];
          expect(contrast(tokens.onAccent, tokens.accent), `${theme} on accent`).toBeGreaterThanOrEqual(READABLE);
          expect(contrast(tokens.onAccent, tokens.accentHover), `${theme} on hover`).toBeGreaterThanOrEqual(READABLE);
          for (const ground of [
            GROUNDS[theme].paper,
            GROUNDS[theme].surface,
            GROUNDS[theme].sunken,
            tokens.accentTint,
          ]) {
            expect(contrast(tokens.accentText, ground), `${theme} text on ${ground}`).toBeGreaterThanOrEqual(READABLE);
          }
          expect(contrast(GROUNDS[theme].ink, tokens.accentTint), `${theme} ink on tint`).toBeGreaterThanOrEqual(
            READABLE,
          );
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each(['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#808080', '#757575', '#0099cc'])(
    'gets readable text with %s at the edge of the space',
    (hex) => {
      const { light, dark } = accentTokens(hex);
      for (const tokens of [light, dark])
        expect(contrast(tokens.onAccent, tokens.accent)).toBeGreaterThanOrEqual(READABLE);
    },
  );

  test.each(['', 'red', '#12', '#12345', 'url(x)', '#0099cc;}'])(
    'gets the default accent for the invalid color %j',
    (text) => {
      expect(accentTokens(text)).toEqual(accentTokens('#0099CC'));
    },
  );

  test('keeps a color that is already readable', () => {
    expect(accentTokens('#1f4e79').light.accent).toBe('#1f4e79');
    expect(accentTokens('#ffd700').light.accent).toBe('#ffd700');
  });
});

describe('colors survive OKLCH', () => {
  test('from hex to OKLCH and back', () => {
    fc.assert(
      fc.property(anyColor, (hex) => {
        expect(toHex(toOklch(hex))).toBe(hex);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['#ffffff', '#000000', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
  ])('with %s on %s of contrast %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 1);
  });

  test('in short and bare hex', () => {
    expect(parseHex('#09c')).toEqual(parseHex('0099cc'));
  });
});

test('the computed backgrounds are those of the style sheet', () => {
  const css = readFileSync(new URL('../web/styles.css', import.meta.url), 'utf8').toLowerCase();
  for (const theme of ['light', 'dark'] as const) {
    for (const [name, hex] of Object.entries(GROUNDS[theme]))
      expect(css, `${theme} ${name}`).toContain(`--${name}: ${hex.toLowerCase()}`);
  }
});

test('pages without a club have the default accent of the style sheet', () => {
  const css = readFileSync(new URL('../web/styles.css', import.meta.url), 'utf8');
  const { light, dark } = accentTokens(DEFAULT_ACCENT);
  for (const [tokens, indent] of [
    [light, '  '],
    [dark, '    '],
  ] as const) {
    expect(css).toContain(
      [
        `--accent: ${tokens.accent};`,
        `--accent-hover: ${tokens.accentHover};`,
        `--on-accent: ${tokens.onAccent};`,
        `--accent-tint: ${tokens.accentTint};`,
        `--accent-text: ${tokens.accentText};`,
      ]
        .map((line) => indent + line)
        .join('\n'),
    );
  }
});
