import { createElement, type ComponentProps, type ReactElement } from 'react';

type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

const FRAME = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

/**
 * Replaces lucide's own `createLucideIcon` (an alias in vite.config.ts): its shapes without its options. Theirs is 1.3
 * kB and takes longer to render than the photo next to it.
 */
// oxlint-disable-next-line import/no-default-export -- lucide's icons import it as the default
export default function createIcon({ node }: IconData): (svg: ComponentProps<'svg'>) => ReactElement {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return (svg) => createElement('svg', { ...FRAME, ...svg }, shapes);
}
