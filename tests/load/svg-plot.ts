/** Small plots as SVG for documents: cost against size, both axes logarithmic, or a value over time from zero. */

export type Line = { name: string; points: readonly (readonly [size: number, value: number])[] };
export type Plot = {
  title: string;
  sizes: string;
  values: string;
  lines: readonly Line[];
  /** Both axes begin at zero; without dots, because there are many measurements. */
  isLinear?: boolean;
};

const [WIDTH, HEIGHT] = [720, 380];
const ROOM = { left: 70, right: 210, top: 44, bottom: 52 };
const COLORS = ['#0b6e4f', '#c8553d', '#3d5a98', '#8a6d00', '#7a3e9d', '#444444'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const decadesOf = (values: readonly number[]): [number, number] => [
  Math.floor(Math.log10(Math.min(...values))),
  Math.max(Math.ceil(Math.log10(Math.max(...values))), Math.floor(Math.log10(Math.min(...values))) + 1),
];

type Axis = { ticks: readonly number[]; shareOf: (value: number) => number };

function logarithmic(values: readonly number[]): Axis {
  const [from, to] = decadesOf(values);
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at)),
    shareOf: (value) => (Math.log10(value) - from) / (to - from),
  };
}

/** From zero to the next round number, in at most ten steps. */
function linear(values: readonly number[]): Axis {
  const most = Math.max(...values);
  const decade = 10 ** Math.floor(Math.log10(most));
  const step = [decade / 10, decade / 5, decade / 2, decade].find((one) => most / one <= 10) ?? decade;
  const steps = Math.ceil(most / step);
  return {
    ticks: Array.from({ length: steps + 1 }, (_, at) => at * step),
    shareOf: (value) => value / (steps * step),
  };
}

export function drawPlot({ title, sizes, values, lines, isLinear = false }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const axis = isLinear ? linear : logarithmic;
  const across = axis(points.map(([size]) => size));
  const up = axis(points.map(([, value]) => value));
  const x = (size: number) => ROOM.left + across.shareOf(size) * (WIDTH - ROOM.left - ROOM.right);
  const y = (value: number) => HEIGHT - ROOM.bottom - up.shareOf(value) * (HEIGHT - ROOM.top - ROOM.bottom);
  const text = (at: readonly [number, number], words: string, more = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${escaped(words)}</text>`;
  const stroke = (from: readonly [number, number], to: readonly [number, number]) =>
    `<path d="M${from.join(' ')}L${to.join(' ')}" stroke="#ddd"/>`;
  const [left, right, top, bottom] = [ROOM.left, WIDTH - ROOM.right, ROOM.top, HEIGHT - ROOM.bottom];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escaped(title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text([left, 24], title, 'font-size="15" font-weight="600"'),
    ...across.ticks.map((size) => stroke([x(size), top], [x(size), bottom])),
    ...up.ticks.map((value) => stroke([left, y(value)], [right, y(value)])),
    ...across.ticks.map((size) => text([x(size), bottom + 18], size.toLocaleString('en-US'), 'text-anchor="middle"')),
    ...up.ticks.map((value) =>
      text([left - 8, y(value) + 4], String(Number(value.toPrecision(2))), 'text-anchor="end"'),
    ),
    text([(left + right) / 2, HEIGHT - 12], sizes, 'text-anchor="middle"'),
    text([16, (top + bottom) / 2], values, `text-anchor="middle" transform="rotate(-90 16 ${(top + bottom) / 2})"`),
    ...lines.flatMap(({ name, points: places }, index) => {
      const color = COLORS[index % COLORS.length];
      const path = places.map(([size, value]) => `${x(size).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
      return [
        `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...(isLinear ? [] : places).map(
          ([size, value]) => `<circle cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="${color}"/>`,
        ),
        `<path d="M${right + 14} ${top + 8 + index * 20}h18" stroke="${color}" stroke-width="2"/>`,
        text([right + 38, top + 12 + index * 20], name),
      ];
    }),
    '</svg>\n',
  ].join('\n');
}
