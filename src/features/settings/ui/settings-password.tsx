import type { SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { LEAVE_BLANK, NO_USER_FOR_PASSWORD } from '#src/features/tenancy/settings-words.contract.ts';
import { Pair, SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Select } from '#src/ui/select.tsx';
import { PasswordField } from '#src/ui/password-field.tsx';

type PasswordSectionProps = {
  form: SettingsForm;
  people: SettingsAnswer['user_details'];
  /** Whose password it is; null where no one belongs to the organization. */
  userId: number | null;
  /** The viewer may choose whose: a platform admin, at someone else's organization. */
  chooses: boolean;
  onChoose: (userId: number) => void;
  passwordHint: string;
};

export function PasswordSection({ form, people, userId, chooses, onChoose, passwordHint }: PasswordSectionProps) {
  return (
    <SettingsSection
      id="password"
      title="Password"
      hint={
        chooses
          ? 'Email of a member of this organization.'
          : 'Your own login password. Your other devices are logged out.'
      }
    >
      {userId === null ? (
        <Notice>{NO_USER_FOR_PASSWORD}</Notice>
      ) : (
        <>
          {chooses && (
            <Select
              label="Whose password"
              value={String(userId)}
              onChange={(event) => onChoose(Number(event.target.value))}
            >
              {people.map(({ id, first_name, last_name, email }) => (
                <option key={id} value={id}>{`${first_name} ${last_name} (${email})`}</option>
              ))}
            </Select>
          )}
          <Pair>
            <PasswordField
              label="New password"
              autoComplete="new-password"
              hint={`${LEAVE_BLANK} ${passwordHint}`}
              {...form.field('password')}
            />
            <PasswordField
              label="Confirm password"
              autoComplete="new-password"
              hint={LEAVE_BLANK}
              {...form.field('confirm_password')}
            />
          </Pair>
        </>
      )}
    </SettingsSection>
  );
}
