import { useState } from 'react';
import {
  letterSent,
  SEND_PASSWORD_LETTER,
  SENDING_LETTER,
  type MemberAnswer,
} from '#src/features/accounts/members.contract.ts';
import { NO_USER } from '#src/features/organizations/single-edit.contract.ts';
import { SettingsSection } from '#src/features/organizations/ui/settings-section.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

type PeopleSectionProps = { organizationId: number; people: readonly MemberAnswer[]; timeZone: string };

/** Who has access, in the order of joining, and the letter with which somebody chooses a new password. */
export function PeopleSection({ organizationId, people, timeZone }: PeopleSectionProps) {
  const [busy, setBusy] = useState<number | null>(null);
  const [said, setSaid] = useState('');

  async function send({ id, email }: MemberAnswer): Promise<void> {
    setBusy(id);
    setSaid('');
    const answer = await callApi('POST', `/api/v1/organizations/${organizationId}/members/${id}/password_letter`);
    setBusy(null);
    setSaid(answer.ok ? letterSent(email) : messagesOf(answer).join(' '));
  }

  return (
    <SettingsSection
      id="people"
      title="People"
      hint="Who has access. The letter leads to the choice of a new password, once and for an hour."
    >
      {people.length === 0 ? (
        <Notice>{NO_USER}</Notice>
      ) : (
        <ul aria-label="People with access" className="divide-y divide-line">
          {people.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0 max-sm:flex-col max-sm:items-start"
            >
              <div className="min-w-0 flex-1 text-sm">
                <p className="flex flex-wrap items-center gap-2">
                  <strong className="font-semibold break-words">{`${person.first_name} ${person.last_name}`}</strong>
                  <Badge>{person.role === 2 ? 'Administrator' : 'Member'}</Badge>
                  {person.role_id === 2 && <Badge tone="accent">Platform admin</Badge>}
                </p>
                <p className="break-all text-quiet">{person.email}</p>
                <p className="text-xs text-quiet">
                  {person.last_sign_in === null ? (
                    'No sign-in known'
                  ) : (
                    <>
                      Last sign-in <DateText at={new Date(person.last_sign_in)} timeZone={timeZone} />
                    </>
                  )}
                </p>
              </div>
              <Button
                variant="secondary"
                size="small"
                busy={busy === person.id ? SENDING_LETTER : false}
                disabled={busy !== null}
                onClick={() => void send(person)}
              >
                {SEND_PASSWORD_LETTER}
                <span className="sr-only">{` to ${person.first_name} ${person.last_name}`}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-sm text-quiet empty:hidden">
        {said}
      </p>
    </SettingsSection>
  );
}
