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
export function expertQuestionEmail(question: QuestionFacts, to: string): Email {
  const name = `${question.first_name} ${question.last_name}`;
  return writeEmail({
    to,
    replyTo: question.email,
    dedupeKey: `expert-question-${question.id}`,
    subject: `A question from ${question.company_name}`,
    preheader: `${name} would like to talk to an expert.`,
    footer: 'Sent from the form “Talk to an expert”. Your reply goes to the person who asked.',
    heading: `${name} has a question`,
    body: (
      <>
        <MailParagraphs text={question.question} />
        <MailFacts
          rows={[
            { name: 'Name', value: name },
            { name: 'Email', value: question.email },
            { name: 'Phone number', value: question.phone_number },
            { name: 'Company name', value: question.company_name },
            { name: 'Asked on the site of', value: question.askedOn },
          ]}
        />
      </>
    ),
    smallPrint: (
      <>
        <MailLink href={`mailto:${question.email}`}>Write to {question.email}</MailLink>
      </>
    ),
  });
}
