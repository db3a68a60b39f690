import { useRef, useState, type FormEvent } from 'react';
import * as words from '#src/features/marketing/talk-to-expert.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api } from '#src/web/api-client.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';

const INPUTS = {
  first_name: { autoComplete: 'given-name' },
  last_name: { autoComplete: 'family-name' },
  email: { type: 'email', autoComplete: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  phone_number: { type: 'tel', autoComplete: 'tel', inputMode: 'tel' },
  company_name: { autoComplete: 'organization' },
} as const;
const BLANK = Object.fromEntries(words.EXPERT_FIELD_NAMES.map((name) => [name, ''])) as words.ExpertQuestion;
const INPUT_NAMES = Object.keys(INPUTS) as (keyof typeof INPUTS)[];

type ExpertFormProps = {
  /** The address to write to if it fails. */
  email: string;
  /** An attempt without scripts: the input, and its problems. */
  sent: { values: Record<string, string>; errors: FieldErrors; messages: readonly string[] } | null;
  wasSent: boolean;
};

/** Six fields, checked together; the result is shown below the button. */
export function ExpertForm({ email, sent, wasSent }: ExpertFormProps) {
  const { errors, attempt, isSending, set, send } = useForm(BLANK, words.expertProblems);
  const [outcome, setOutcome] = useState<'sent' | 'failed' | null>(() => {
    if (wasSent) return 'sent';
    return sent && sent.messages.length > 0 ? 'failed' : null;
  });
  const form = useRef<HTMLFormElement>(null);
  useFocusOnError(form, attempt);
  const problems = attempt === 0 && sent ? sent.errors : errors;

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setOutcome(null);
    await send(async (user) => {
      const answer = await api('POST /api/v1/talk-to-expert/', { body: { user } });
      setOutcome(answer.ok ? 'sent' : 'failed');
      if (answer.ok) form.current?.reset();
      return answer;
    }, readQuestion(event.currentTarget));
  }

  return (
    <form
      ref={form}
      noValidate
      method="post"
      onInput={(event) => set(readQuestion(event.currentTarget))}
      onSubmit={(event) => void submit(event)}
      className="grid gap-5 sm:grid-cols-2"
    >
      {INPUT_NAMES.map((name) => (
        <div key={name} className={name === 'company_name' ? 'sm:col-span-2' : undefined}>
          <TextField
            {...INPUTS[name]}
            label={words.EXPERT_FIELDS[name].label}
            name={name}
            required
            maxLength={words.EXPERT_FIELDS[name].max}
            defaultValue={sent?.values[name]}
            errors={problems[name]}
          />
        </div>
      ))}
      <div className="sm:col-span-2">
        <TextArea
          label={words.EXPERT_FIELDS.question.label}
          name="question"
          required
          rows={5}
          defaultValue={sent?.values['question']}
          maxLength={words.EXPERT_FIELDS.question.max}
          errors={problems['question']}
        />
      </div>
      <div className="flex flex-col gap-4 sm:col-span-2">
        <Button type="submit" size="large" busy={isSending && words.SUBMITTING} className="sm:self-start">
          Submit
        </Button>
        <div role="status" className="empty:sr-only">
          {outcome === 'sent' && <Notice tone="success">{words.EXPERT_THANKS}</Notice>}
          {outcome === 'failed' && <Notice tone="warning">{words.expertFailure(email)}</Notice>}
        </div>
      </div>
    </form>
  );
}

function readQuestion(form: HTMLFormElement): words.ExpertQuestion {
  const given = new FormData(form);
  const text = (name: words.ExpertField) => String(given.get(name) ?? '');
  return Object.fromEntries(words.EXPERT_FIELD_NAMES.map((name) => [name, text(name)])) as words.ExpertQuestion;
}
