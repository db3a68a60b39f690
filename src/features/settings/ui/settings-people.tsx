import type { SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { NO_USER } from '#src/features/settings/single-edit.contract.ts';
import { SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';

type SettingsPeopleProps = {
  people: SettingsAnswer['user_details'];
  /** Whose people may do the same; null for a parent. */
  parentName: string | null;
};

/** Who can sign in for an organization, for its own people. Adding and taking away is the platform's action. */
export function SettingsPeople({ people, parentName }: SettingsPeopleProps) {
  const hint = 'Who can sign in for your organization.';
  return (
    <SettingsSection
      id="people"
      title="People"
      hint={parentName === null ? hint : `${hint} The people of ${parentName} may do the same.`}
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
      <p className="text-sm text-quiet">
        Someone joins or leaves? Write to us, and we’ll add them or remove their access.
      </p>
      <LinkButton variant="secondary" to="/contact" className="self-start">
        Contact us
      </LinkButton>
    </SettingsSection>
  );
}
