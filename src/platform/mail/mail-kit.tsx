/**
 * Emails in the product's look: warm paper, dark ink, one accent (docs/requirements/look.md). Styles are inline, tables
 * make the frame, and nothing is loaded, because email programs drop the rest. React escapes every text.
 */
import { Children, isValidElement, type CSSProperties, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { accentTokens, DEFAULT_ACCENT, GROUNDS } from '#src/shared/color.ts';

export type MailBrand = {
  /** The organization in whose name the email is sent. */
  name: string;
  /** Its color, `#RRGGBB`; anything else becomes our blue. */
  accent: string;
};

export type EmailContent = Pick<Email, 'to' | 'replyTo' | 'dedupeKey'> & {
  subject: string;
  /** What an email program shows after the subject in its list. */
  preheader: string;
  heading: ReactNode;
  body?: ReactNode;
  /** The main action, after the body. */
  button?: { label: string; href: string };
  /** The end of the message, in small gray letters. */
  smallPrint?: ReactNode;
  /** By default the platform is the sender, not the organization. */
  brand?: MailBrand;
  /** Below the message: why it was sent; by default only the sender. */
  footer?: ReactNode;
};

const { paper: PAPER, surface: SURFACE, ink: INK } = GROUNDS.light;
const QUIET = '#5B6470';
const HAIRLINE = '#E6E2DA';
const SIDELINE: MailBrand = { name: 'Sideline', accent: DEFAULT_ACCENT };
const SANS = "'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif";
/** Programs that know dark themes follow these classes, all others the inline styles. */
const { paper, surface, ink } = GROUNDS.dark;
const DARK = [
  `.paper{background-color:${paper}!important}`,
  `.sheet{background-color:${surface}!important;border-color:#30343B!important}`,
  `.ink{color:${ink}!important}.quiet{color:#A9B0BA!important}`,
  `.line{border-color:#30343B!important}.sum{border-color:${ink}!important}`,
].join('');
const DISPLAY = "'Bricolage Grotesque', 'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif";

/** Anyone may choose a brand's name, and where its emails go: its name becomes no link. */
export const plainBrand = (brand: MailBrand): MailBrand => ({ ...brand, name: withoutLinks(brand.name) });

/** An email in both forms, from one tree. The subject is limited to one line; subject, preheader and brand contain no links. */
export function writeEmail(content: EmailContent): Email {
  const { heading, body, button, smallPrint, to, replyTo, dedupeKey } = content;
  const subject = withoutLinks(content.subject).replaceAll(/\s+/g, ' ').trim();
  const preheader = withoutLinks(content.preheader);
  const { accent, name } = content.brand ?? SIDELINE;
  const brand = { accent, name: withoutLinks(name) };
  const footer = content.footer ?? (content.brand ? `Sent by ${brand.name} with Sideline.` : 'Sent by Sideline.');
  const message = (
    <>
      <MailHeading>{heading}</MailHeading>
      {body}
      {button && (
        <MailButton href={button.href} brand={brand}>
          {button.label}
        </MailButton>
      )}
      {smallPrint !== undefined && <MailParagraph quiet>{smallPrint}</MailParagraph>}
    </>
  );
  const html = `<!doctype html>${renderToStaticMarkup(<Frame {...{ subject, preheader, body: message, brand, footer }} />)}`;
  const text = renderText(
    <div>
      {message}
      <hr />
      <p>{footer}</p>
    </div>,
  );
  return { to, ...(replyTo === undefined ? {} : { replyTo }), dedupeKey, subject, html, text };
}

function Frame(props: { subject: string; preheader: string; body: ReactNode; brand: MailBrand; footer: ReactNode }) {
  const { subject, preheader, body, brand, footer } = props;
  const title: CSSProperties = { fontFamily: DISPLAY, fontSize: 17, fontWeight: 600, color: INK };
  const running: CSSProperties = { fontFamily: SANS, fontSize: 16, lineHeight: '25px', color: INK };
  const small: CSSProperties = { fontFamily: SANS, fontSize: 13, lineHeight: '20px', color: QUIET };
  const stripe: CSSProperties = { height: 4, lineHeight: '4px', fontSize: 0, borderRadius: '10px 10px 0 0' };
  const sheet: CSSProperties = {
    maxWidth: 560,
    margin: '0 auto',
    backgroundColor: SURFACE,
    border: `1px solid ${HAIRLINE}`,
    borderRadius: 10,
    borderCollapse: 'separate',
  };
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style>{`@media (prefers-color-scheme:dark){${DARK}${darkAccent(brand)}}`}</style>
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: PAPER }}>
        <div style={{ display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 }}>{preheader}</div>
        <Table className="paper" style={{ backgroundColor: PAPER }}>
          <Row style={{ padding: '32px 16px' }}>
            <Table className="sheet" style={sheet}>
              <Row className="accent" style={{ ...stripe, backgroundColor: accentTokens(brand.accent).light.accent }}>
                {'\u00a0'}
              </Row>
              <Row className="ink" style={{ padding: '28px 32px 0', ...title }}>
                {brand.name}
              </Row>
              <Row className="ink" style={{ padding: '8px 32px 28px', ...running }}>
                {body}
              </Row>
            </Table>
          </Row>
          <Row className="quiet" style={{ padding: '0 16px 40px', textAlign: 'center', ...small }}>
            {footer}
          </Row>
        </Table>
      </body>
    </html>
  );
}

type BoxProps = { className?: string; style: CSSProperties; children: ReactNode };

function Table({ className, style, children }: BoxProps) {
  return (
    <table
      className={className}
      role="presentation"
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      style={{ borderCollapse: 'collapse', ...style }}
    >
      <tbody>{children}</tbody>
    </table>
  );
}

function Row({ className, style, children }: BoxProps) {
  return (
    <tr>
      <td className={className} style={style}>
        {children}
      </td>
    </tr>
  );
}

function darkAccent({ accent }: MailBrand): string {
  const { dark } = accentTokens(accent);
  return `.accent{background-color:${dark.accent}!important;color:${dark.onAccent}!important}`;
}

/** The one heading of an email. */
function MailHeading({ children }: { children: ReactNode }) {
  const type: CSSProperties = { fontFamily: DISPLAY, fontSize: 26, lineHeight: '32px', fontWeight: 700, color: INK };
  return (
    <h1 className="ink" style={{ margin: '8px 0 12px', ...type }}>
      {children}
    </h1>
  );
}

export function MailParagraph({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  const style = quiet ? { fontSize: 14, lineHeight: '22px', color: QUIET } : {};
  return (
    <p className={quiet ? 'quiet' : undefined} style={{ margin: '0 0 16px', ...style }}>
      {children}
    </p>
  );
}

/** A code to type, on one line also on a phone. */
export function MailCode({ children }: { children: ReactNode }) {
  const type: CSSProperties = { fontFamily: 'Consolas, Menlo, monospace', fontSize: 20, fontWeight: 700, color: INK };
  return (
    <p className="ink" style={{ margin: '8px 0 16px', whiteSpace: 'nowrap', ...type }}>
      {children}
    </p>
  );
}

/** Text that a person wrote, with its paragraphs. */
export function MailParagraphs({ text, quoted = false }: { text: string; quoted?: boolean }) {
  const paragraphs = text.split(/\n\s*\n/).filter((words) => words !== '');
  return paragraphs.map((words, index) => <MailParagraph key={index}>{quoted ? `“${words}”` : words}</MailParagraph>);
}

/** A link in running text. Only web and email addresses become links. */
export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="ink" href={safeHref(href)} style={{ color: INK, textDecoration: 'underline' }}>
      {children}
    </a>
  );
}

/** The main action, in the colors of the site's buttons. */
export function MailButton({ href, brand, children }: { href: string; brand?: MailBrand; children: ReactNode }) {
  const { accent, onAccent } = accentTokens((brand ?? SIDELINE).accent).light;
  const style: CSSProperties = {
    display: 'inline-block',
    padding: '13px 22px',
    borderRadius: 10,
    backgroundColor: accent,
    color: onAccent,
    fontWeight: 600,
    textDecoration: 'none',
  };
  return (
    <p style={{ margin: '20px 0 24px' }}>
      <a className="accent" href={safeHref(href)} style={style}>
        {children}
      </a>
    </p>
  );
}

/** Names and values in rows, the values right-aligned so that digits line up; the last row may be the sum. */
export function MailFacts(props: { rows: readonly { name: string; value: string }[]; sumLast?: boolean }) {
  const { rows, sumLast = false } = props;
  return (
    <Table style={{ margin: '4px 0 20px' }}>
      {rows.map(({ name, value }, index) => {
        const isSum = sumLast && index === rows.length - 1;
        const style: CSSProperties = {
          padding: '9px 0',
          borderTop: `1px solid ${isSum ? INK : HAIRLINE}`,
          fontWeight: isSum ? 700 : 400,
          verticalAlign: 'top',
        };
        const line = isSum ? 'sum' : 'line';
        const classes = `${line} ${isSum ? 'ink' : 'quiet'}`;
        return (
          <tr key={`${index} ${name}`}>
            <td className={classes} style={{ ...style, color: isSum ? INK : QUIET, paddingRight: 16 }}>
              {name}
            </td>
            <td className={line} style={{ ...style, textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** An address that is allowed in an email; throws for `javascript:` and similar ones. */
function safeHref(href: string): string {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) throw new Error(`not an address for an email: ${href.slice(0, 40)}`);
  return href;
}

type Props = { children?: ReactNode; href?: string };

/** Elements on lines of their own, with an empty line around them. */
const BLOCKS = new Set(['p', 'h1', 'table', 'div']);

/** The text form, made from the same tree: separate paragraphs, links with their address, rows of tables as "name: value". */
function renderText(tree: ReactElement): string {
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
  const parts = Children.toArray(props.children).map(textOf);
  if (name === 'br') return '\n';
  if (name === 'hr') return '\n\n--\n\n';
  if (name === 'tr') {
    const cells = parts.map((part) => part.trim()).filter((part) => part !== '');
    return `${cells.join(': ')}\n`;
  }
  const inner = parts.join('');
  if (name === 'a') return inner.trim() === props.href ? inner : `${inner.trim()}: ${props.href ?? ''}`;
  return BLOCKS.has(name) ? `\n\n${inner.trim()}\n\n` : inner;
}
