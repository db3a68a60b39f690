import { describe, expect, test } from 'vitest';
import { accentTokens } from '#src/shared/color.ts';
import { MailButton, MailCode, MailFacts, MailLink, MailParagraph, writeEmail } from './mail-kit.tsx';

const brand = { name: 'Hawks Soccer Club', accent: '#0B6E4F' };
const address = { to: 'ana@example.org', dedupeKey: 'receipt' };
const receipt = (
  <>
    <MailParagraph>
      Your {2} photos are ready. {false} {null}
    </MailParagraph>
    <MailButton href="https://hawks.example/orders/abc" brand={brand}>
      Open your photos
    </MailButton>
    <MailFacts
      rows={[
        { name: 'Photos', value: '$8.00' },
        { name: 'Donation', value: '$5.00' },
        { name: 'Total', value: '$13.00' },
      ]}
      sumLast
    />
    <MailParagraph quiet>
      Questions? <MailLink href="mailto:hi@hawks.example">Write to us</MailLink>
    </MailParagraph>
  </>
);

describe('an email', () => {
  test('says the same in HTML and in text', () => {
    const email = writeEmail({
      ...address,
      subject: 'Your photos',
      preheader: '2 photos',
      heading: 'Thank you, Ana!',
      body: receipt,
      brand,
    });
    expect(email.text).toBe(
      [
        'Thank you, Ana!',
        '',
        'Your 2 photos are ready.',
        '',
        'Open your photos: https://hawks.example/orders/abc',
        '',
        'Photos: $8.00',
        'Donation: $5.00',
        'Total: $13.00',
        '',
        'Questions? Write to us: mailto:hi@hawks.example',
        '',
        '--',
        '',
        'Sent by Hawks Soccer Club with Sideline.',
        '',
      ].join('\n'),
    );
    for (const words of [
      'Thank you, Ana!',
      'Your 2 photos are ready.',
      'href="https://hawks.example/orders/abc"',
      '$13.00',
      'Sent by Hawks Soccer Club',
    ]) {
      expect(email.html).toContain(words);
    }
  });

  test('keeps a code of 16 characters on one line', () => {
    const { html, text } = writeEmail({
      ...address,
      subject: 'Your credit',
      preheader: '$25.00',
      heading: 'Thank you, Ana!',
      body: <MailCode>7K3M-7K3M-7K3M-7K3M</MailCode>,
      brand,
    });
    expect(html).toMatch(/white-space:nowrap[^>]*>7K3M-7K3M-7K3M-7K3M</);
    expect(text).toContain('\n7K3M-7K3M-7K3M-7K3M\n');
  });

  test('is a complete document in the colors of Sideline and the club, and loads nothing', () => {
    const { html } = writeEmail({
      ...address,
      subject: 'Your photos',
      preheader: '2 photos',
      heading: 'Thank you, Ana!',
      body: receipt,
      brand,
    });
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    for (const part of ['#FBFAF7', '#0b6e4f', '2 photos']) expect(html).toContain(part);
    expect(html).not.toMatch(/<img|<script|<link|@import|url\(/);
  });

  test('has the colors of the site’s buttons, in light and in dark', () => {
    const { html } = writeEmail({ ...address, subject: 's', preheader: 'p', heading: 'h', body: receipt, brand });
    const { light, dark } = accentTokens(brand.accent);
    expect(html).toContain(`background-color:${light.accent};color:${light.onAccent}`);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain(`.accent{background-color:${dark.accent}!important;color:${dark.onAccent}!important}`);
  });

  test.each([
    [brand, 'Sent by Hawks Soccer Club with Sideline.'],
    [undefined, 'Sent by Sideline.'],
  ])('of %j ends with “%s”', (sender, footer) => {
    const brandOf = sender ? { brand: sender } : {};
    const { text } = writeEmail({ ...address, subject: 's', preheader: 'p', heading: 'h', ...brandOf });
    expect(text).toContain(`--\n\n${footer}\n`);
  });

  test('shows hostile names as plain text', () => {
    const name = `</td><script>alert(1)</script>" onload="x`;
    const email = writeEmail({
      ...address,
      subject: 'a\r\nBcc: victim@example.org',
      preheader: name,
      heading: name,
      body: <MailParagraph>{name}</MailParagraph>,
      brand: { name, accent: 'red;background:url(//evil)' },
    });
    expect(email.html).not.toContain('<script>');
    expect(email.html).not.toContain('evil');
    expect(email.text).toContain(name);
    expect(email.subject).toBe('a Bcc: victim@example.org');
  });

  test.each(['javascript:alert(1)', '/orders/1', 'data:text/html,x', ''])('links to no address like "%s"', (href) => {
    const body = <MailLink href={href}>x</MailLink>;
    expect(() => writeEmail({ ...address, subject: 's', preheader: 'p', heading: 'h', body, brand })).toThrow(
      'not an address',
    );
  });
});
