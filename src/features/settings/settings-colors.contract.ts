/** Colors as people and programs write them. Only hex and rgb are read (bad input 123). */
import { parseHex } from '#src/shared/oklch.ts';

export const COLOR_NOT_VALID = 'Please enter a color like #0099CC or rgb(0, 153, 204).';

const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/** `#RRGGBB` in capitals; null for what is no color. */
export function readColor(value: string): string | null {
  const text = value.trim();
  const channels = RGB.exec(text)?.slice(1).map(Number);
  if (channels) return channels.every((channel) => channel <= 255) ? hexOf(channels) : null;
  const parts = text.startsWith('#') ? parseHex(text) : null;
  return parts ? hexOf(parts.map((part) => Math.round(part * 255))) : null;
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** The color as it was chosen, and what is made of it where words would be hard to read; 4.5 to 1 is easy to read. */
export function contrastWords({ own, used, isDarkened }: { own: number; used: number; isDarkened: boolean }): string {
  if (!isDarkened) return `Words on your color have a contrast of ${used.toFixed(1)} to 1: easy to read.`;
  return `White words on your color would have a contrast of ${own.toFixed(1)} to 1, so buttons use a shade of it with ${used.toFixed(1)} to 1: easy to read.`;
}
