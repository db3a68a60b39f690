import type { CSSProperties } from 'react';
import type { AccentTokens } from '#src/shared/color.ts';

/** The custom properties that the class `accented` of styles.css reads. */
export function accentStyle({ light, dark }: AccentTokens): CSSProperties {
  const properties: Record<string, string> = {};
  for (const [theme, tokens] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    properties[`--accent-${theme}`] = tokens.accent;
    properties[`--accent-hover-${theme}`] = tokens.accentHover;
    properties[`--on-accent-${theme}`] = tokens.onAccent;
    properties[`--accent-tint-${theme}`] = tokens.accentTint;
    properties[`--accent-text-${theme}`] = tokens.accentText;
  }
  return properties;
}
