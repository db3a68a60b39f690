/** "Talk to an expert" for browsers whose script is late or off. */
import type { MarketingService } from '#src/features/marketing/marketing.service.ts';
import { EXPERT_FIELDS, talkToExpertBody } from '#src/features/marketing/talk-to-expert.contract.ts';
import type { PlainForm } from '#src/http/plain-forms.ts';
import { fieldProblem } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

export function expertForm({ marketing }: { marketing: Pick<MarketingService, 'askExpert'> }): PlainForm {
  return {
    path: '/talk-to-expert',
    why: 'people ask before they have an account',
    async take({ caller, fields, hostLabel }) {
      const user = Object.fromEntries(Object.keys(EXPERT_FIELDS).map((name) => [name, fields[name] ?? '']));
      const asked = talkToExpertBody.safeParse({ user });
      if (!asked.success) {
        const errors = errorsOf(asked.error);
        throw fieldProblem(errors);
      }
      await marketing.askExpert(caller, hostLabel, asked.data.user);
      return { to: '/talk-to-expert?sent=yes' };
    },
  };
}
