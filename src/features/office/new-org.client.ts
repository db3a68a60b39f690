/** The New Organization form in the browser: input, problems, and result. */
import { useState, type FormEvent } from 'react';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import {
  BLANK_ORG,
  suggestedHostLabel,
  newOrgPayload,
  problemsOfNewOrg,
  type NewOrgValues,
} from '#src/features/office/new-org.rules.ts';
import { api, unchecked } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

export type NewOrgForm = ReturnType<typeof useNewOrg>;

export function useNewOrg(passwordMin: number) {
  const form = useForm<NewOrgValues>(BLANK_ORG, (values) => problemsOfNewOrg(values, passwordMin));
  const { values } = form;
  // Messages about a logo that was just chosen, shown next to it only.
  const [logoProblems, setLogoProblems] = useState<readonly string[]>([]);
  const [made, setMade] = useState<PublicOrganization | null>(null);
  return {
    ...form,
    /** The address follows the name until someone types one. */
    values: { ...values, domain_name: values.domain_name || suggestedHostLabel(values.name) },
    logoProblems,
    setLogoProblems,
    made,

    /** An empty or default address follows the name again. */
    settleAddress(): void {
      const typed = suggestedHostLabel(values.domain_name);
      form.set({ domain_name: typed === suggestedHostLabel(values.name) ? '' : typed });
    },

    async submit(event: FormEvent): Promise<void> {
      event.preventDefault();
      setLogoProblems([]);
      const answer = await form.send(() =>
        api('POST /api/v1/organizations', { body: unchecked(newOrgPayload(values)) }),
      );
      if (answer) setMade(answer.data);
    },

    startOver(): void {
      form.setValues(BLANK_ORG);
      form.clear();
      setLogoProblems([]);
      setMade(null);
    },
  };
}
