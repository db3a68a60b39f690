/** The email to the operators: who asks, the question, and the reply address. */
import type { ExpertQuestion } from '#src/features/marketing/talk-to-expert.contract.ts';
import { MailFacts, MailLink, MailParagraphs, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';

type QuestionFacts = ExpertQuestion & {
  id: number;
  /** The organization on whose host it was asked. */
  askedOn: string;
};

/** A reply to the email goes to the person who asked. */
export function expertQuestionEmail(asked: QuestionFacts, to: string): Email {
  const name = `${asked.first_name} ${asked.last_name}`;
  return writeEmail({
    to,
    replyTo: asked.email,
    dedupeKey: `expert-question-${asked.id}`,
    subject: `A question from ${asked.company_name}`,
    preheader: `${name} would like to talk to an expert.`,
    footer: 'Sent by the form “Talk to an expert”. Your reply goes to the person who asked.',
    heading: `${name} has a question`,
    body: (
      <>
        <MailParagraphs text={asked.question} />
        <MailFacts
          rows={[
            { name: 'Name', value: name },
            { name: 'Email', value: asked.email },
            { name: 'Phone number', value: asked.phone_number },
            { name: 'Company name', value: asked.company_name },
            { name: 'Asked on the site of', value: asked.askedOn },
          ]}
        />
      </>
    ),
    smallPrint: (
      <>
        <MailLink href={`mailto:${asked.email}`}>Write to {asked.email}</MailLink>
      </>
    ),
  });
}
