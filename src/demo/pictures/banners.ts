/** Home images of the organisations, 1278 x 500, and the clubs' marks, drawn from paths. */
import { hawk, rival, sceneOf } from './shot.ts';
import { onlookers } from './spectators.ts';
import { ballOnGround, bleachers, goal, land, tent } from './stage.ts';
import { hues } from './people.ts';
import type { Scene } from './render.ts';

/** Drawn at twice the size and scaled down, for a calm picture behind text. */
const size = [2556, 1000] as const;

export const homeImages: Readonly<Record<string, () => Scene>> = {
  'lakeside-home': () =>
    sceneOf({
      seed: 601,
      size,
      hour: 'golden',
      sun: 28,
      light: { cover: 0.5 },
      camera: { from: [-14, 3.4, -41], at: [4, 2.6, 0], focal: 34, aperture: 8 },
      cast: [
        hawk('10', 'dribble', [-6, -17], 80),
        ballOnGround(-5.2, -17.2),
        rival('4', 'jockey', [-3.4, -16.2], 262),
        hawk('7', 'run', [2, -9], 84),
        rival('6', 'jog', [4.4, -5], 250),
        hawk('9', 'sprint', [11, -2], 80),
        rival('5', 'run', [13, 0.5], 70),
        hawk('8', 'jog', [-14, -3], 90),
        rival('8', 'jog', [-9, 2], 240),
        ...onlookers(601, [-26, 31], [30, 31.5], 26, 180),
        ...bleachers([-4, 0, 34], 180, 4, 14),
      ],
      sets: [goal(1), tent(20, 35, hues.teal), tent(25, 35.5, hues.white)],
      backdrop: land({ seed: 601, near: 62, height: [9, 17] }),
    }),
  'default-home': () =>
    sceneOf({
      seed: 602,
      size,
      hour: 'morning',
      sun: 300,
      light: { cover: 0.45 },
      camera: { from: [24, 1.4, -16], at: [43, 2.6, 4], focal: 30, aperture: 5.6, focus: 12 },
      cast: [ballOnGround(31, -9.4, 30)],
      sets: [goal(1)],
      backdrop: land({ seed: 602, near: 58 }),
    }),
};

const svg = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${body}</svg>`;

export const marks: Readonly<Record<string, string>> = {
  'lakeside-logo': svg(`
    <circle cx="256" cy="256" r="244" fill="#10263d"/><circle cx="256" cy="256" r="226" fill="none" stroke="#f2b32c" stroke-width="8"/>
    <clipPath id="disc"><circle cx="256" cy="256" r="210"/></clipPath>
    <g clip-path="url(#disc)">
      <rect x="40" y="40" width="432" height="432" fill="#f7d58a"/><circle cx="256" cy="236" r="74" fill="#f2b32c"/>
      <path d="M30 276 L110 190 L152 230 L214 150 L286 238 L334 184 L396 248 L430 214 L490 282 V330 H30 Z" fill="#1f5c55"/>
      <path d="M30 286 Q140 262 256 284 T490 280 V480 H30 Z" fill="#0b7285"/>
      <path d="M40 326 q36 -18 72 0 t72 0 t72 0 t72 0 t72 0 t72 0" fill="none" stroke="#e9f5f4" stroke-width="13" stroke-linecap="round"/>
      <path d="M76 372 q36 -18 72 0 t72 0 t72 0 t72 0 t72 0" fill="none" stroke="#e9f5f4" stroke-width="13" stroke-linecap="round" opacity="0.75"/>
      <path d="M112 418 q36 -18 72 0 t72 0 t72 0 t72 0" fill="none" stroke="#e9f5f4" stroke-width="13" stroke-linecap="round" opacity="0.5"/>
    </g>`),
  'hawks-logo': svg(`
    <path d="M256 14 L470 84 V262 C470 380 380 456 256 500 C132 456 42 380 42 262 V84 Z" fill="#10263d"/>
    <path d="M256 36 L450 100 V262 C450 368 370 438 256 479 C142 438 62 368 62 262 V100 Z" fill="#0b5160" stroke="#f2b32c" stroke-width="9"/>
    <path d="M112 206 C150 128 246 96 338 126 C372 137 396 158 410 188 L366 190 C392 214 398 250 384 284 C372 262 352 250 330 250 C342 288 326 336 284 372 C290 330 278 306 250 292 C206 300 172 336 166 392 C128 346 128 288 158 250 C136 246 120 232 112 206 Z" fill="#f7f4ec"/>
    <path d="M338 126 C372 137 396 158 410 188 L366 190 C392 214 398 250 384 284 C372 262 352 250 330 250 C318 236 300 226 282 222 L330 196 Z" fill="#f2b32c"/>
    <path d="M262 168 L330 158 L302 192 C286 198 268 190 262 168 Z" fill="#10263d"/><circle cx="300" cy="172" r="7" fill="#f2b32c"/>
    <path d="M112 206 C150 128 246 96 338 126 C262 126 196 160 158 250 C136 246 120 232 112 206 Z" fill="#10263d" opacity="0.9"/>`),
};

const loaf = (x: number, y: number, size: number) => `
  <g transform="translate(${x} ${y}) scale(${size})">
    <path d="M-34 18 C-44 -8 -22 -24 0 -24 C22 -24 44 -8 34 18 Q0 26 -34 18 Z" fill="#c9782f"/>
    <path d="M-34 18 C-44 -8 -22 -24 0 -24 C14 -24 28 -18 34 -8 C16 -16 -14 -14 -34 18 Z" fill="#e3a055"/>
    <path d="M-16 -18 l10 14 M-2 -21 l10 16 M13 -19 l9 15" stroke="#7a3f12" stroke-width="3.4" stroke-linecap="round" fill="none"/>
  </g>`;
const words = (x: number, y: number, size: number, fill: string, text: string, more = '') =>
  `<text x="${x}" y="${y}" font-family="DejaVu Serif" font-weight="700" font-size="${size}" fill="${fill}" ${more}>${text}</text>`;

/** A sponsor's banners at their exact sizes (specification A§5). */
export const sponsorBanners: Readonly<Record<string, string>> = {
  'bakery-728x90': `<svg xmlns="http://www.w3.org/2000/svg" width="728" height="90" viewBox="0 0 728 90">
    <rect width="728" height="90" fill="#fbf1df"/><rect x="0" y="84" width="728" height="6" fill="#8c2f1b"/>
    ${loaf(62, 44, 1.05)}${words(122, 42, 25, '#5a2412', 'Lakeside Bakehouse')}
    ${words(123, 67, 14, '#8a5a3c', 'Warm rolls at every home game')}
    <rect x="556" y="24" width="148" height="40" rx="20" fill="#8c2f1b"/>${words(630, 49, 14, '#fff6e6', 'See the menu', 'text-anchor="middle"')}</svg>`,
  'bakery-300x250': `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250" viewBox="0 0 300 250">
    <rect width="300" height="250" fill="#fbf1df"/><rect y="242" width="300" height="8" fill="#8c2f1b"/>
    <circle cx="150" cy="72" r="54" fill="#f4dfb8"/>${loaf(150, 74, 1.25)}
    ${words(150, 158, 24, '#5a2412', 'Lakeside Bakehouse', 'text-anchor="middle"')}
    ${words(150, 182, 13.5, '#8a5a3c', 'Warm rolls at every home game', 'text-anchor="middle"')}
    <rect x="76" y="196" width="148" height="36" rx="18" fill="#8c2f1b"/>${words(150, 219, 14, '#fff6e6', 'See the menu', 'text-anchor="middle"')}</svg>`,
};
