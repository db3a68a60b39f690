/** Converts colors between hex and OKLCH, where equal steps of lightness look equal. */

/** Lightness 0..1, chroma from 0, hue in radians. */
export type Oklch = { l: number; c: number; h: number };
type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Reads `#09c` or `#0099cc`; null for anything else. Components 0..1. */
export function parseHex(hex: string): Rgb | null {
  const digits = HEX.exec(hex.trim())?.[1];
  if (digits === undefined) return null;
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const value = Number.parseInt(full, 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const fromLinear = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055);

/** Relative luminance as WCAG 2.2 defines it. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Contrast of two hex colors, 1 to 21 (WCAG 2.2, 1.4.3). @throws RangeError if one is not a color */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(rgbOf(one)), luminance(rgbOf(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function rgbOf(hex: string): Rgb {
  const rgb = parseHex(hex);
  if (!rgb) throw new RangeError(`not a color: ${hex}`);
  return rgb;
}

/** @throws RangeError if `hex` is not a color */
export function toOklch(hex: string): Oklch {
  const [red, green, blue] = rgbOf(hex).map(toLinear) as unknown as Rgb;
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/** The nearest color a screen can show: chroma is reduced, lightness and hue stay. */
export function toHex(color: Oklch): string {
  const l = Math.min(1, Math.max(0, color.l));
  let [low, high] = [0, color.c];
  if (isShowable({ ...color, l })) low = high;
  for (let step = 0; step < 18 && high - low > 1e-4; step++) {
    const middle = (low + high) / 2;
    if (isShowable({ l, c: middle, h: color.h })) low = middle;
    else high = middle;
  }
  const channels = toLinearRgb({ l, c: low, h: color.h }).map((channel) =>
    Math.round(Math.min(1, Math.max(0, fromLinear(Math.max(0, channel)))) * 255),
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function isShowable(color: Oklch): boolean {
  return toLinearRgb(color).every((channel) => channel >= -1e-4 && channel <= 1 + 1e-4);
}
