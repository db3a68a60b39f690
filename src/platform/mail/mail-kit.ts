/**
 * Emails in the product's look: warm paper, deep ink, one accent (docs/requirements/look.md). Styles are
 * inline, tables make the frame, and nothing is loaded, because mail programs drop the rest.
 * Modules build the body with `createElement`, `text` and the pieces below; React escapes every word.
 */
import { createElement as h, type CSSProperties, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { readableOn } from '#src/platform/mail/mail-colors.ts';
import { renderText } from '#src/platform/mail/mail-text.ts';

export type MailBrand = {
  /** The organization that speaks. */
  name: string;
  /** Its color, `#RRGGBB`; anything else becomes our blue. */
  accent: string;
};

export type EmailContent = {
  subject: string;
  /** What the list of a mail program shows after the subject. */
  preheader: string;
  body: ReactElement;
  brand: MailBrand;
  /** The small print; by default only who sent it. */
  footer?: ReactNode;
};

const PAPER = '#FBFAF7';
const INK = '#14171A';
const QUIET = '#5B6470';
const HAIRLINE = '#E6E2DA';
const DEFAULT_ACCENT = '#0099CC';
const SANS = "'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif";
const DISPLAY = "'Bricolage Grotesque', 'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif";

/** An email in both forms, from one tree. The subject is kept to one line; subject, preheader and brand carry no links. */
export function renderEmail(content: EmailContent): { subject: string; html: string; text: string } {
  const subject = withoutLinks(content.subject).replaceAll(/\s+/g, ' ').trim();
  const preheader = withoutLinks(content.preheader);
  const brand = { ...content.brand, name: withoutLinks(content.brand.name) };
  const footer = content.footer ?? `Sent by ${brand.name} with Sideline.`;
  const html = `<!doctype html>${renderToStaticMarkup(frame({ ...content, subject, preheader, brand, footer }))}`;
  const text = renderText(h('div', null, content.body, h('hr'), h('p', null, footer)));
  return { subject, html, text };
}

function frame({ subject, preheader, body, brand, footer }: EmailContent): ReactElement {
  const accent = accentOf(brand);
  const cell = (style: CSSProperties, ...children: ReactNode[]) => h('tr', null, h('td', { style }, ...children));
  const table = (style: CSSProperties, ...rows: ReactNode[]) =>
    h(
      'table',
      {
        role: 'presentation',
        width: '100%',
        cellPadding: 0,
        cellSpacing: 0,
        style: { borderCollapse: 'collapse', ...style },
      },
      h('tbody', null, ...rows),
    );
  const sheet = table(
    {
      maxWidth: 560,
      margin: '0 auto',
      backgroundColor: '#FFFFFF',
      border: `1px solid ${HAIRLINE}`,
      borderRadius: 10,
      borderCollapse: 'separate',
    },
    cell(
      { height: 4, lineHeight: '4px', fontSize: 0, backgroundColor: accent, borderRadius: '10px 10px 0 0' },
      '\u00a0',
    ),
    cell({ padding: '28px 32px 0', fontFamily: DISPLAY, fontSize: 17, fontWeight: 600, color: INK }, brand.name),
    cell({ padding: '8px 32px 28px', fontFamily: SANS, fontSize: 16, lineHeight: '25px', color: INK }, body),
  );
  return h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light' }),
      h('title', null, subject),
    ),
    h(
      'body',
      { style: { margin: 0, padding: 0, backgroundColor: PAPER } },
      h('div', { style: { display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0 } }, preheader),
      table(
        { backgroundColor: PAPER },
        cell({ padding: '32px 16px' }, sheet),
        cell(
          {
            padding: '0 16px 40px',
            textAlign: 'center',
            fontFamily: SANS,
            fontSize: 13,
            lineHeight: '20px',
            color: QUIET,
          },
          footer,
        ),
      ),
    ),
  );
}

function accentOf(brand: MailBrand): string {
  return /^#[0-9A-Fa-f]{6}$/.test(brand.accent) ? brand.accent : DEFAULT_ACCENT;
}

/** The one heading of an email. */
export function MailHeading(props: { children: ReactNode }): ReactElement {
  return h(
    'h1',
    {
      style: {
        margin: '8px 0 12px',
        fontFamily: DISPLAY,
        fontSize: 26,
        lineHeight: '32px',
        fontWeight: 700,
        color: INK,
      },
    },
    props.children,
  );
}

export function MailParagraph(props: { children: ReactNode; quiet?: boolean }): ReactElement {
  const style = props.quiet ? { fontSize: 14, lineHeight: '22px', color: QUIET } : {};
  return h('p', { style: { margin: '0 0 16px', ...style } }, props.children);
}

/** A link in running text. Only web and mail addresses open. */
export function MailLink(props: { href: string; children: ReactNode }): ReactElement {
  return h('a', { href: safeHref(props.href), style: { color: INK, textDecoration: 'underline' } }, props.children);
}

/** The one thing to do. The text upon the accent is black or white, whichever reads better. */
export function MailButton(props: { href: string; brand: MailBrand; children: ReactNode }): ReactElement {
  const accent = accentOf(props.brand);
  const style: CSSProperties = {
    display: 'inline-block',
    padding: '13px 22px',
    borderRadius: 10,
    backgroundColor: accent,
    color: readableOn(accent),
    fontWeight: 600,
    textDecoration: 'none',
  };
  return h('p', { style: { margin: '20px 0 24px' } }, h('a', { href: safeHref(props.href), style }, props.children));
}

/** Names and values in rows, the values to the right with figures under each other; the last may be the sum. */
export function MailFacts(props: {
  rows: readonly { name: string; value: string }[];
  sumLast?: boolean;
}): ReactElement {
  const { rows, sumLast = false } = props;
  return h(
    'table',
    {
      role: 'presentation',
      width: '100%',
      cellPadding: 0,
      cellSpacing: 0,
      style: { margin: '4px 0 20px', borderCollapse: 'collapse' },
    },
    h(
      'tbody',
      null,
      ...rows.map(({ name, value }, index) => {
        const isSum = sumLast && index === rows.length - 1;
        const style: CSSProperties = {
          padding: '9px 0',
          borderTop: `1px solid ${isSum ? INK : HAIRLINE}`,
          fontWeight: isSum ? 700 : 400,
          verticalAlign: 'top',
        };
        return h(
          'tr',
          { key: `${index} ${name}` },
          h('td', { style: { ...style, color: isSum ? INK : QUIET, paddingRight: 16 } }, name),
          h('td', { style: { ...style, textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }, value),
        );
      }),
    ),
  );
}

/** An address that is allowed in an email; throws for `javascript:` and the like. */
function safeHref(href: string): string {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) throw new Error(`not an address for an email: ${href.slice(0, 40)}`);
  return href;
}
