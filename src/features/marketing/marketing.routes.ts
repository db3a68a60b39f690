import { questionsPage, questionsQuery } from '#src/features/marketing/expert-questions.contract.ts';
import type { MarketingService } from '#src/features/marketing/marketing.service.ts';
import {
  EXPERT_BODY_BYTES,
  EXPERT_THANKS,
  talkToExpertAnswer,
  talkToExpertBody,
  EXPERT_FIELDS,
} from '#src/features/marketing/talk-to-expert.contract.ts';
import { ADMINS, call, privateRoutes, routes } from '#src/http/call.ts';
import { parseForm, type PlainForm } from '#src/http/plain-forms.ts';

/** `POST /api/v1/talk-to-expert/`, with or without the trailing slash. */
export const marketingRoutes = routes((server, marketing: MarketingService) => {
  for (const url of ['/api/v1/talk-to-expert/', '/api/v1/talk-to-expert']) {
    server.post(
      url,
      {
        config: { access: { who: 'anyone', why: 'people ask before they have an account' } },
        bodyLimit: EXPERT_BODY_BYTES,
        schema: {
          summary: 'Ask an expert; the question is stored and emailed',
          body: talkToExpertBody,
          response: { 200: talkToExpertAnswer },
        },
      },
      async (request) => {
        await marketing.askExpert(request.caller, request.site.label, request.body.user);
        return { message: EXPERT_THANKS };
      },
    );
  }
});

/** `GET /api/v1/expert_questions`, for platform admins. */
export const expertQuestionRoutes = privateRoutes((server, marketing: MarketingService) => {
  server.get(
    '/api/v1/expert_questions',
    call(ADMINS, 'The questions of people who talk to an expert, newest first', {
      querystring: questionsQuery,
      response: { 200: questionsPage },
    }),
    async ({ query }) => marketing.listQuestions(query.after),
  );
});

export function expertForm({ marketing }: { marketing: Pick<MarketingService, 'askExpert'> }): PlainForm {
  return {
    path: '/talk-to-expert',
    why: 'people ask before they have an account',
    async handle({ caller, fields, hostLabel }) {
      const user = Object.fromEntries(Object.keys(EXPERT_FIELDS).map((name) => [name, fields[name] ?? '']));
      const body = parseForm(talkToExpertBody, { user });
      await marketing.askExpert(caller, hostLabel, body.user);
      return { to: '/talk-to-expert?sent=yes' };
    },
  };
}
