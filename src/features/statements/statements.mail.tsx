/** The email that a statement is ready. */
import { YOU_GET } from '#src/features/reports/money-words.contract.ts';
import { monthWords } from '#src/features/statements/statements.rules.ts';
import { MailFacts, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { formatDollars, type Cents } from '#src/shared/money.ts';

type ReadyStatement = {
  organization: { id: number; name: string; accent: string };
  month: string;
  openingCents: Cents;
  earnedCents: Cents;
  paidOutCents: Cents;
  closingCents: Cents;
  /** Its page. */
  link: string;
};

/** Once per organization and month. */
export function statementReadyEmail(to: string, statement: ReadyStatement): Email {
  const { organization, month, link } = statement;
  const [name = ''] = monthWords(month).split(' ');
  const brand = { name: 'Sideline', accent: organization.accent };
  return writeEmail({
    to,
    dedupeKey: `statement-${organization.id}-${month}`,
    subject: `Your statement for ${name} is ready`,
    preheader: `${organization.name}: ${formatDollars(statement.closingCents)} at the end of ${monthWords(month)}.`,
    brand,
    footer: 'Sent by Sideline to the billing address of the organization, once a month and only if there was activity.',
    heading: `Your statement for ${name} is ready`,
    body: (
      <>
        <MailParagraph>
          Here is the statement of {withoutLinks(organization.name)} for {monthWords(month)}.
        </MailParagraph>
        <MailFacts
          rows={[
            { name: 'Opening balance', value: formatDollars(statement.openingCents) },
            { name: YOU_GET, value: formatDollars(statement.earnedCents) },
            { name: 'Payouts', value: formatDollars(statement.paidOutCents) },
            { name: 'Closing balance', value: formatDollars(statement.closingCents) },
          ]}
          sumLast
        />
      </>
    ),
    button: { label: 'Open the statement', href: link },
    smallPrint: 'It lists every sale, fee, refund and payout, and you can print it or save it as PDF or CSV.',
  });
}
