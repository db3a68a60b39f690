/**
 * The accent of a club, derived from the one color it picked. Whatever color that is, text on the accent and text in
 * the accent reach a contrast of 4.5:1 in both themes (docs/requirements/look.md).
 */
import { contrast, parseHex, toHex, toOklch, type Oklch } from '#src/shared/oklch.ts';

export const DEFAULT_ACCENT = '#0099CC';

/** Text must reach this contrast with its background (WCAG 2.2 AA). */
export const READABLE = 4.5;

/** The backgrounds of `styles.css`; a test compares the two. */
export const GROUNDS = {
  light: { paper: '#FBFAF7', surface: '#FFFFFF', sunken: '#F3F0EA', ink: '#14171A' },
  dark: { paper: '#14161A', surface: '#1D2025', sunken: '#0E1013', ink: '#F3F1EC' },
} as const;

/** Six hex colors of one theme. */
type Accent = {
  /** Fill of the primary button and of the goal bar. */
  accent: string;
  accentHover: string;
  /** Text on `accent` and `accentHover`. */
  onAccent: string;
  /** A subtle background for selected items. */
  accentTint: string;
  /** Links and numbers in the accent, readable on every background and on the tint. */
  accentText: string;
};
export type AccentTokens = { light: Accent; dark: Accent };

/** Cached: there are few colors and many pages. */
const remembered = new Map<string, AccentTokens>();
const REMEMBER_AT_MOST = 1_000;

/** Accent tokens of both themes; the default for anything that is not a color. */
export function accentTokens(hex: string): AccentTokens {
  const known = remembered.get(hex);
  if (known) return known;
  const picked = toOklch(parseHex(hex) ? hex : DEFAULT_ACCENT);
  const tokens = { light: accentOn('light', picked), dark: accentOn('dark', picked) };
  if (remembered.size >= REMEMBER_AT_MOST) remembered.clear();
  remembered.set(hex, tokens);
  return tokens;
}

const WHITE = '#ffffff';
const INK = '#14171a';
/** From this contrast up, white text is worth making the color slightly darker. */
const NEARLY_READABLE = 2.8;
const STEP = 0.005;

function accentOn(theme: 'light' | 'dark', picked: Oklch): Accent {
  const { paper, surface, sunken } = GROUNDS[theme];
  const whiteUpon = contrast(toHex(picked), WHITE) >= NEARLY_READABLE;
  const onAccent = whiteUpon ? WHITE : INK;
  const fill = step(picked, whiteUpon ? -STEP : STEP, (hex) => contrast(hex, onAccent) >= READABLE);
  // Hovering moves away from the text's own lightness, so that the text can only become more readable.
  const hover = { ...fill, l: fill.l + (whiteUpon ? -0.05 : 0.05) };
  const tint = toHex({
    l: theme === 'light' ? 0.955 : 0.3,
    c: Math.min(picked.c, theme === 'light' ? 0.03 : 0.05),
    h: picked.h,
  });
  const grounds = [paper, surface, sunken, tint];
  const text = step(picked, theme === 'light' ? -STEP : STEP, (hex) =>
    grounds.every((ground) => contrast(hex, ground) >= READABLE),
  );
  return { accent: toHex(fill), accentHover: toHex(hover), onAccent, accentTint: tint, accentText: toHex(text) };
}

/** Changes the lightness until `isEnough`; black or white, at the end of the range, always are. */
function step(from: Oklch, by: number, isEnough: (hex: string) => boolean): Oklch {
  for (let color = from; ; color = { ...color, l: color.l + by }) {
    if (color.l < 0 || color.l > 1 || isEnough(toHex(color))) return color;
  }
}
