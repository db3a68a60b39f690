/** Reads the tree of an email as plain text, so that both forms say the same words. */
import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = { children?: ReactNode; href?: string; alt?: string; hidden?: boolean };

/** Elements on lines of their own, with an empty line around them. */
const BLOCKS = new Set(['p', 'h1', 'h2', 'h3', 'ul', 'ol', 'table', 'blockquote', 'section', 'div']);

/** The text form: paragraphs apart, links with their address, rows of tables as "name: value". */
export function renderText(tree: ReactElement): string {
  const lines = textOf(tree)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n');
  return `${lines.trim()}\n`;
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node.replaceAll(/\s+/g, ' ');
  if (typeof node === 'number' || typeof node === 'bigint') return String(node);
  if (!isValidElement<Props>(node)) return Children.toArray(node).map(textOf).join('');
  if (typeof node.type === 'function') return textOf((node.type as (props: Props) => ReactNode)(node.props));
  return elementText(typeof node.type === 'string' ? node.type : 'fragment', node.props);
}

function elementText(name: string, props: Props): string {
  const cells = Children.toArray(props.children);
  if (name === 'br') return '\n';
  if (name === 'hr') return '\n\n--\n\n';
  if (name === 'img') return props.alt ?? '';
  if (name === 'tr')
    return `${cells
      .map((cell) => textOf(cell).trim())
      .filter((cell) => cell !== '')
      .join(': ')}\n`;
  const inner = cells.map(textOf).join('');
  if (name === 'a') return inner.trim() === props.href ? inner : `${inner.trim()}: ${props.href ?? ''}`;
  if (name === 'li') return `- ${inner.trim()}\n`;
  return BLOCKS.has(name) ? `\n\n${inner.trim()}\n\n` : inner;
}
