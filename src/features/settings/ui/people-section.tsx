import { useRef, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import * as words from '#src/features/members/members.contract.ts';
import type { MemberAnswer } from '#src/features/members/members.contract.ts';
import { NO_USER, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { Pair, SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { TextField } from '#src/ui/form/text-field.tsx';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';
import { LinkButton } from '#src/ui/link-button.tsx';

type PeopleSectionProps = {
  organization: { id: number; name: string };
  people: readonly MemberAnswer[];
  timeZone: string;
  /** Someone was added or removed. */
  onChanged: () => void;
};

const nameOf = ({ first_name, last_name }: MemberAnswer) => `${first_name} ${last_name}`.trim();

/** Who has access, in the order of joining, with buttons to email a password link, to add and to remove. */
export function PeopleSection({ organization, people, timeZone, onChanged }: PeopleSectionProps) {
  const [busy, setBusy] = useState<number | null>(null);
  const [message, setMessage] = useState('');
  const status = useRef<HTMLParagraphElement>(null);
  const [leaving, setLeaving] = useState<MemberAnswer | null>(null);
  const administrators = people.filter(({ role, is_invited: isInvited }) => role === 2 && !isInvited);

  /** Announces it and moves the focus there: the clicked button is disabled or gone. */
  function announce(what: string): void {
    flushSync(() => setMessage(what));
    status.current?.focus();
  }

  async function send({ id, email }: MemberAnswer): Promise<void> {
    setBusy(id);
    setMessage('');
    const answer = await api('POST /api/v1/organizations/{id}/members/{userId}/password_letter', {
      params: { id: organization.id, userId: id },
    });
    setBusy(null);
    announce(answer.ok ? words.emailSent(email) : messagesOf(answer).join(' '));
  }

  return (
    <SettingsSection
      id="people"
      title="People"
      hint="Who has access. The email has a link to choose a new password. It works once, for an hour. At least one person must always be able to log in."
    >
      {people.length === 0 ? (
        <Notice>{NO_USER}</Notice>
      ) : (
        <ul aria-label="People with access" className="divide-y divide-line">
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              timeZone={timeZone}
              isSending={busy === person.id}
              isBusy={busy !== null}
              mayLeave={person.role !== 2 || person.is_invited || administrators.length > 1}
              onSend={() => void send(person)}
              onLeave={() => setLeaving(person)}
            />
          ))}
        </ul>
      )}
      <p ref={status} role="status" tabIndex={-1} className="text-sm break-words outline-none empty:hidden">
        {message}
      </p>
      <AddPerson
        organizationId={organization.id}
        onAdded={(what) => {
          announce(what);
          onChanged();
        }}
      />
      {leaving && (
        <TakeAccess
          person={leaving}
          organization={organization}
          onClose={() => setLeaving(null)}
          onTaken={() => {
            flushSync(() => setLeaving(null));
            announce(words.accessTaken(leaving.email));
            onChanged();
          }}
        />
      )}
    </SettingsSection>
  );
}

type TakeAccessProps = {
  person: MemberAnswer;
  organization: { id: number; name: string };
  onClose: () => void;
  onTaken: () => void;
};

/** Removes access after a confirmation. */
function TakeAccess({ person, organization, onClose, onTaken }: TakeAccessProps) {
  const params = { id: organization.id, userId: person.id };
  return (
    <ConfirmCall
      title={`${words.TAKE_ACCESS}?`}
      confirmLabel={words.TAKE_ACCESS}
      busy={words.TAKING_ACCESS}
      call={() => api('DELETE /api/v1/organizations/{id}/members/{userId}', { params })}
      onDone={onTaken}
      onCancel={onClose}
    >
      <p>
        <strong className="font-semibold break-words text-ink">{nameOf(person)}</strong>
        <span className="break-words">{` (${person.email}) can no longer log in for ${organization.name} on any device. They keep their account, and we’ll email them.`}</span>
      </p>
    </ConfirmCall>
  );
}

type PersonRowProps = {
  person: MemberAnswer;
  timeZone: string;
  isSending: boolean;
  isBusy: boolean;
  /** At least one administrator always stays. */
  mayLeave: boolean;
  onSend: () => void;
  onLeave: () => void;
};

function PersonRow({ person, timeZone, isSending, isBusy, mayLeave, onSend, onLeave }: PersonRowProps) {
  return (
    <li className="flex items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0 max-lg:flex-col max-lg:items-start">
      <Person person={person} timeZone={timeZone} />
      <div className="-ml-3 flex shrink-0 flex-wrap gap-1 lg:ml-0">
        <Button
          variant="quiet"
          size="small"
          busy={isSending ? words.SENDING_EMAIL : false}
          disabled={isBusy}
          onClick={onSend}
        >
          {words.SEND_PASSWORD_EMAIL}
          <span className="sr-only">{` to ${nameOf(person)}`}</span>
        </Button>
        {mayLeave && (
          <Button variant="quiet" size="small" onClick={onLeave}>
            {words.TAKE_ACCESS}
            <span className="sr-only">{` of ${nameOf(person)}`}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

function Person({ person, timeZone }: { person: MemberAnswer; timeZone: string }) {
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="font-semibold break-words">{nameOf(person)}</strong>
        <Badge>{person.role === 2 ? 'Administrator' : 'Member'}</Badge>
        {person.is_invited && <Badge tone="accent">{words.INVITED}</Badge>}
        {person.role_id === 2 && <Badge tone="accent">Platform admin</Badge>}
      </p>
      <p className="break-all text-quiet">{person.email}</p>
      <p className="text-xs text-quiet">
        {person.last_sign_in === null ? (
          'No login recorded'
        ) : (
          <>
            Last login <DateText at={new Date(person.last_sign_in)} timeZone={timeZone} />
          </>
        )}
      </p>
    </div>
  );
}

const BLANK = { email: '', first_name: '', last_name: '' };

type AddPersonProps = {
  organizationId: number;
  /** Called with the result, as a sentence. */
  onAdded: (sentence: string) => void;
};

/** Gives someone access. Only a person without an account needs a name. */
function AddPerson({ organizationId, onAdded }: AddPersonProps) {
  const form = useForm(BLANK);
  const box = useRef<HTMLFormElement>(null);
  useFocusOnError(box, form.attempt);

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const added = await form.send((body) =>
      api('POST /api/v1/organizations/{id}/members', { params: { id: organizationId }, body }),
    );
    if (!added) return;
    form.setValues(BLANK);
    onAdded(added.data.is_new ? words.personInvited(added.data.email) : words.personAdded(added.data.email));
  }

  const field = (name: keyof typeof BLANK) => ({ ...form.field(name), autoComplete: 'off' });
  return (
    <form
      method="dialog"
      ref={box}
      noValidate
      aria-label={words.ADD_PERSON}
      onSubmit={(event) => void add(event)}
      className="flex flex-col gap-4 border-t border-line pt-5"
    >
      <TextField
        type="email"
        spellCheck={false}
        label="Email of a new person"
        hint="People who have an account keep it and manage one more organization."
        {...field('email')}
        errors={[...(form.errors['email'] ?? []), ...(form.errors['form'] ?? [])]}
      />
      <Pair>
        <TextField label="Their first name" hint="Only if there is no account yet." {...field('first_name')} />
        <TextField label="Their last name" hint="Only if there is no account yet." {...field('last_name')} />
      </Pair>
      <Button type="submit" variant="secondary" busy={form.isSending && words.ADDING_PERSON} className="self-start">
        {words.ADD_PERSON}
      </Button>
    </form>
  );
}

type SettingsPeopleProps = {
  people: SettingsAnswer['user_details'];
  /** The parent, whose members have the same rights; null for a parent itself. */
  parentName: string | null;
};

/** Who can sign in for an organization, for its own members. Only the platform adds and removes people. */
export function SettingsPeople({ people, parentName }: SettingsPeopleProps) {
  const hint = 'Who can log in for your organization.';
  return (
    <SettingsSection
      id="people"
      title="People"
      hint={parentName === null ? hint : `${hint} The members of ${parentName} have access, too.`}
    >
      {people.length === 0 ? (
        <Notice>{NO_USER}</Notice>
      ) : (
        <ul aria-label="People with access" className="divide-y divide-line text-sm">
          {people.map(({ id, first_name, last_name, email }) => (
            <li key={id} className="py-3 first:pt-0 last:pb-0">
              <p className="font-semibold break-words">{`${first_name} ${last_name}`.trim()}</p>
              <p className="break-all text-quiet">{email}</p>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-quiet">Did someone join or leave? Write to us, and we’ll change who has access.</p>
      <LinkButton variant="secondary" to="/contact" className="self-start">
        Contact us
      </LinkButton>
    </SettingsSection>
  );
}
