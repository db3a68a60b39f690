/** The email to those who run the site: who asks, what, and where an answer goes. */
import { createElement as h, Fragment } from 'react';
import type { ExpertQuestion } from '#src/features/marketing/talk-to-expert.contract.ts';
import { MailFacts, MailHeading, MailLink, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

type Asked = ExpertQuestion & {
  id: number;
  /** Of the organization on whose host it was asked. */
  askedOn: string;
};

/** Answering the email writes to the person who asked. */
export function expertQuestionEmail(asked: Asked, to: string): Email {
  const name = `${asked.first_name} ${asked.last_name}`;
  const rendered = renderEmail({
    subject: `A question from ${asked.company_name}`,
    preheader: `${name} would like to talk to an expert.`,
    brand: { name: 'Sideline', accent: '#0099CC' },
    footer: 'Sent by the form “Talk to an expert”. Your reply goes to the person who asked.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: `${name} has a question` }),
      ...asked.question.split(/\n\s*\n/).map((text, index) => h(MailParagraph, { key: `p${index}`, children: text })),
      h(MailFacts, {
        rows: [
          { name: 'Name', value: name },
          { name: 'Email', value: asked.email },
          { name: 'Phone number', value: asked.phone_number },
          { name: 'Company name', value: asked.company_name },
          { name: 'Asked on the site of', value: asked.askedOn },
        ],
      }),
      h(MailParagraph, {
        quiet: true,
        children: h(MailLink, { href: `mailto:${asked.email}`, children: `Write to ${asked.email}` }),
      }),
    ),
  });
  return { ...rendered, to, replyTo: asked.email, dedupeKey: `expert-question-${asked.id}` };
}
