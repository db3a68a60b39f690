import { createElement, type ComponentProps, type ReactElement } from 'react';

type IconData = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] };

/** By which the style sheet finds icons: size and line are the same for all, and not in the HTML of each. */
const VIEW_BOX = '0 0 24 24';

/**
 * Replaces lucide's own `createLucideIcon` (an alias in vite.config.ts): its shapes without its options. Theirs is 1.3
 * kB and takes longer to render than the photo next to it.
 */
// oxlint-disable-next-line import/no-default-export -- lucide's icons import it as the default
export default function createIcon({ node }: IconData): (svg: ComponentProps<'svg'>) => ReactElement {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return (svg) => createElement('svg', { viewBox: VIEW_BOX, ...svg }, shapes);
}
