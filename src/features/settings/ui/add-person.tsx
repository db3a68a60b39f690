import { useRef, type FormEvent } from 'react';
import {
  ADD_PERSON,
  ADDING_PERSON,
  personAdded,
  personInvited,
  type AddedMember,
} from '#src/features/members/members.contract.ts';
import { Pair } from '#src/features/settings/ui/settings-section.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';

const BLANK = { email: '', first_name: '', last_name: '' };

type AddPersonProps = {
  /** The call that adds someone. */
  address: string;
  /** Told what was done, in a sentence. */
  onAdded: (sentence: string) => void;
};

/** Gives someone access. Only someone who has no account yet needs a name. */
export function AddPerson({ address, onAdded }: AddPersonProps) {
  const form = useForm(BLANK);
  const box = useRef<HTMLFormElement>(null);
  useFocusOnError(box, form.attempt);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const added = await form.send((body) => callApi<AddedMember>('POST', address, { body }));
    if (!added) return;
    form.setValues(BLANK);
    onAdded(added.data.is_new ? personInvited(added.data.email) : personAdded(added.data.email));
  }

  const field = (name: keyof typeof BLANK) => ({ ...form.field(name), autoComplete: 'off' });
  return (
    <form
      ref={box}
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
        errors={[...(form.errors['email'] ?? []), ...(form.errors['form'] ?? [])]}
      />
      <Pair>
        <TextField label="Their first name" hint="Only where there is no account yet." {...field('first_name')} />
        <TextField label="Their last name" hint="Only where there is no account yet." {...field('last_name')} />
      </Pair>
      <Button type="submit" variant="secondary" busy={form.isSending && ADDING_PERSON} className="self-start">
        {ADD_PERSON}
      </Button>
    </form>
  );
}
