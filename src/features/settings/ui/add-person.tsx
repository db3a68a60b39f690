import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import {
  ADD_PERSON,
  ADDING_PERSON,
  personAdded,
  personInvited,
  type AddedMember,
} from '#src/features/members/members.contract.ts';
import { Pair } from '#src/features/settings/ui/settings-section.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

const BLANK = { email: '', first_name: '', last_name: '' };
type Values = typeof BLANK;

type AddPersonProps = {
  /** The call that adds somebody. */
  address: string;
  /** Told what was done, in a sentence. */
  onAdded: (sentence: string) => void;
};

/** Gives somebody access. Only somebody who has no account yet needs a name. */
export function AddPerson({ address, onAdded }: AddPersonProps) {
  const [values, setValues] = useState<Values>(BLANK);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isAdding, setAdding] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    setAdding(true);
    setErrors({});
    const answer = await callApi<AddedMember>('POST', address, { body: values });
    setAdding(false);
    if (!answer.ok) {
      const refused = Object.keys(answer.errors).length > 0 ? answer.errors : { email: [answer.error] };
      flushSync(() => setErrors(refused));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    setValues(BLANK);
    onAdded(answer.data.is_new ? personInvited(answer.data.email) : personAdded(answer.data.email));
  }

  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    errors: errors[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) =>
      setValues((known) => ({ ...known, [name]: event.target.value })),
  });

  return (
    <form
      ref={form}
      noValidate
      aria-label={ADD_PERSON}
      onSubmit={(event) => void add(event)}
      className="flex flex-col gap-4 border-t border-line pt-5"
    >
      <TextField
        label="Email of a new person"
        type="email"
        hint="People who have an account keep it and manage one more organization."
        {...field('email')}
      />
      <Pair>
        <TextField label="Their first name" hint="Only where there is no account yet." {...field('first_name')} />
        <TextField label="Their last name" hint="Only where there is no account yet." {...field('last_name')} />
      </Pair>
      <Button type="submit" variant="secondary" busy={isAdding && ADDING_PERSON} className="self-start">
        {ADD_PERSON}
      </Button>
    </form>
  );
}
