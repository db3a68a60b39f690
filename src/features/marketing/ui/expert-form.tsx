import { useRef, useState, type FormEvent } from 'react';
import {
  EXPERT_FIELDS,
  EXPERT_THANKS,
  expertFailure,
  SUBMITTING,
  type ExpertField,
  type ExpertQuestion,
  type TalkToExpertAnswer,
} from '#src/features/marketing/talk-to-expert.contract.ts';
import { EXPERT_FIELD_NAMES, expertProblems } from '#src/features/marketing/talk-to-expert.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

type Status = { stage: 'open' } | { stage: 'sending' } | { stage: 'sent' } | { stage: 'failed'; message: string };

const INPUTS = {
  first_name: { autoComplete: 'given-name' },
  last_name: { autoComplete: 'family-name' },
  email: { type: 'email', autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  phone_number: { type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  company_name: { autoComplete: 'organization' },
} as const;
const INPUT_NAMES = Object.keys(INPUTS) as (keyof typeof INPUTS)[];

type ExpertFormProps = {
  /** Where to write when it fails. */
  email: string;
  /** A try without a script: what was typed, and what was wrong. */
  sent: { values: Record<string, string>; errors: FieldErrors; messages: readonly string[] } | null;
  wasSent: boolean;
};

/** Six fields, checked together; says under the button what became of them. */
export function ExpertForm({ email, sent, wasSent }: ExpertFormProps) {
  const [status, setStatus] = useState<Status>(() => {
    if (wasSent) return { stage: 'sent' };
    return sent && sent.messages.length > 0 ? { stage: 'failed', message: expertFailure(email) } : { stage: 'open' };
  });
  const [problems, setProblems] = useState<FieldErrors>(sent?.errors ?? {});
  const form = useRef<HTMLFormElement>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (status.stage === 'sending') return;
    const question = readQuestion(event.currentTarget);
    const found = expertProblems(question);
    setProblems(found);
    setStatus({ stage: 'open' });
    if (focusFirst(event.currentTarget, found)) return;
    setStatus({ stage: 'sending' });
    const answer = await callApi<TalkToExpertAnswer>('POST', '/api/v1/talk-to-expert/', { body: { user: question } });
    if (answer.ok) {
      form.current?.reset();
      setStatus({ stage: 'sent' });
      return;
    }
    setProblems(byOwnName(answer.errors));
    setStatus({ stage: 'failed', message: expertFailure(email) });
  }

  return (
    <form ref={form} noValidate method="post" onSubmit={send} className="grid gap-5 sm:grid-cols-2">
      {INPUT_NAMES.map((name) => (
        <div key={name} className={name === 'company_name' ? 'sm:col-span-2' : undefined}>
          <TextField
            {...INPUTS[name]}
            label={EXPERT_FIELDS[name].label}
            name={name}
            required
            maxLength={EXPERT_FIELDS[name].max}
            defaultValue={sent?.values[name]}
            errors={problems[name]}
          />
        </div>
      ))}
      <div className="sm:col-span-2">
        <TextArea
          label={EXPERT_FIELDS.question.label}
          name="question"
          required
          rows={5}
          defaultValue={sent?.values['question']}
          maxLength={EXPERT_FIELDS.question.max}
          errors={problems['question']}
        />
      </div>
      <div className="flex flex-col gap-4 sm:col-span-2">
        <Button type="submit" size="large" busy={status.stage === 'sending' && SUBMITTING} className="sm:self-start">
          Submit
        </Button>
        <div role="status" className="empty:sr-only">
          {status.stage === 'sent' && <Notice tone="success">{EXPERT_THANKS}</Notice>}
          {status.stage === 'failed' && <Notice tone="warning">{status.message}</Notice>}
        </div>
      </div>
    </form>
  );
}

function readQuestion(form: HTMLFormElement): ExpertQuestion {
  const given = new FormData(form);
  const text = (name: ExpertField) => String(given.get(name) ?? '');
  return {
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: text('email'),
    phone_number: text('phone_number'),
    company_name: text('company_name'),
    question: text('question'),
  };
}

/** True when there is a problem; the first field that has one takes the focus. */
function focusFirst(form: HTMLFormElement, problems: FieldErrors): boolean {
  const first = EXPERT_FIELD_NAMES.find((name) => problems[name] !== undefined);
  if (first === undefined) return false;
  const field = form.elements.namedItem(first);
  if (field instanceof HTMLElement) field.focus();
  return true;
}

/** The call names fields by their path (`user.email`). */
function byOwnName(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => [path.split('.').at(-1) ?? path, messages]),
  );
}
