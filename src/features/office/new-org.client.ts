/** The New Organization form in the browser: what is typed, what is wrong, what came of it. */
import { useState, type FormEvent } from 'react';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import {
  BLANK_ORG,
  hostLabelOf,
  newOrgPayload,
  problemsOfNewOrg,
  type NewOrgValues,
} from '#src/features/office/new-org.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { callApi, messagesOf } from '#src/web/api-client.ts';

type Problems = { errors: FieldErrors; messages: readonly string[] };
const NONE: Problems = { errors: {}, messages: [] };

export type NewOrgForm = ReturnType<typeof useNewOrg>;

export function useNewOrg(passwordMin: number) {
  const [values, setValues] = useState<NewOrgValues>(BLANK_ORG);
  const [problems, setProblems] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [isSending, setSending] = useState(false);
  const [made, setMade] = useState<PublicOrganization | null>(null);

  function setErrors(field: keyof NewOrgValues, messages: readonly string[]): void {
    setProblems(({ errors: { [field]: _before, ...rest } }) => ({
      messages: [],
      errors: messages.length > 0 ? { ...rest, [field]: [...messages] } : rest,
    }));
  }

  return {
    /** The address follows the name until somebody writes one. */
    values: { ...values, domain_name: values.domain_name || hostLabelOf(values.name) },
    errors: problems.errors,
    messages: problems.messages,
    attempt,
    isSending,
    made,
    setErrors,

    /** What was said of a field is over when it changes. */
    set(field: keyof NewOrgValues, value: string): void {
      setValues((before) => ({ ...before, [field]: value }));
      setErrors(field, []);
    },

    /** An address that is the name's own, or empty, follows the name again. */
    settleAddress(): void {
      const typed = hostLabelOf(values.domain_name);
      setValues({ ...values, domain_name: typed === hostLabelOf(values.name) ? '' : typed });
    },

    async submit(event: FormEvent): Promise<void> {
      event.preventDefault();
      if (isSending) return;
      setAttempt((count) => count + 1);
      const errors = problemsOfNewOrg(values, passwordMin);
      setProblems({ errors, messages: Object.values(errors).flat() });
      if (Object.keys(errors).length > 0) return;
      setSending(true);
      const answer = await callApi<PublicOrganization>('POST', '/api/v1/organizations', {
        body: newOrgPayload(values),
      });
      setSending(false);
      if (answer.ok) return setMade(answer.data);
      setAttempt((count) => count + 1);
      setProblems({ errors: answer.errors, messages: messagesOf(answer) });
    },

    startOver(): void {
      setValues(BLANK_ORG);
      setProblems(NONE);
      setMade(null);
    },
  };
}
