/** The email that says that an export is ready. */
import { KEEP_DAYS } from '#src/features/exports/exports.contract.ts';
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type ExportNews = {
  exportId: number;
  to: string;
  name: string;
  accent: string;
  /** The page "Your data". */
  link: string;
};

export function exportReadyEmail({ exportId, to, name, accent, link }: ExportNews): Email {
  const brand = { name: 'Sideline', accent };
  return writeEmail({
    to,
    dedupeKey: `export-ready-${exportId}`,
    subject: 'The copy of your data is ready',
    preheader: `Download it within ${KEEP_DAYS} days.`,
    brand,
    footer: 'Sent by Sideline because you requested a copy of your organization’s data.',
    heading: 'The copy of your data is ready',
    body: (
      <MailParagraph>
        You requested a copy of everything that Sideline stores for {withoutLinks(name)}. You can download it for{' '}
        {KEEP_DAYS} days.
      </MailParagraph>
    ),
    button: { label: 'Open your data', href: link },
    smallPrint: 'It contains names and email addresses of your buyers. If you didn’t request it, change your password.',
  });
}
