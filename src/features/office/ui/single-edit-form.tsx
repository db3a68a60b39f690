import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { MemberAnswer } from '#src/features/members/members.contract.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import type { TermsAnswer } from '#src/features/codes/terms.contract.ts';
import { TermsForm } from '#src/features/codes/ui/terms-form.tsx';
import type { DeletedGalleries } from '#src/features/galleries/deleted-galleries.contract.ts';
import { DeletedGalleryList } from '#src/features/galleries/ui/deleted-gallery-list.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { saveLabel, useSettingsSubmit } from '#src/features/settings/settings-form.client.ts';
import type { SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { SETTINGS_LEAVE_QUESTION, UPDATING } from '#src/features/tenancy/settings-words.contract.ts';
import { useSingleEdit } from '#src/features/office/single-edit.client.ts';
import { SINGLE_EDIT_TITLE } from '#src/features/settings/single-edit.contract.ts';
import { singleEditPath } from '#src/features/office/single-edit-path.rules.ts';
import { EditBar } from '#src/features/office/ui/edit-bar.tsx';
import { AccountFigures, type Figures } from '#src/features/office/ui/account-figures.tsx';
import { PageSections } from '#src/features/settings/ui/section-links.tsx';
import { ColorsSection, OtherContactSection, ThemeSection } from '#src/features/office/ui/single-edit-sections.tsx';
import { PriceSection, ProfileSection, TimeZoneSection } from '#src/features/settings/ui/settings-fields.tsx';
import { PasswordSection } from '#src/features/settings/ui/settings-password.tsx';
import { PaymentsSection } from '#src/features/settings/ui/settings-payments.tsx';
import { PeopleSection } from '#src/features/settings/ui/people-section.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-section.tsx';
import { SponsorsSection } from '#src/features/settings/ui/settings-sponsors.tsx';
import { WatermarkSection } from '#src/features/settings/ui/settings-watermark.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';

/** In the order of the page. */
const SECTIONS = [
  ['profile', 'Profile'],
  ['password', 'Password'],
  ['contact', 'Other contact info'],
  ['theme', 'Theme details'],
  ['watermark', 'Watermark'],
  ['sponsors', 'Sponsor ads'],
  ['colors', 'Colors'],
  ['price', 'Photo price'],
  ['payments', 'Payments'],
  ['time-zone', 'Time zone'],
  ['people', 'People'],
  ['platform', 'Platform'],
  ['deleted', 'Deleted galleries'],
] as const;

/** Banners are counted for their owners, in the settings. */
const NOT_COUNTED = { tablet: { impressions: 0, clicks: 0 }, mobile: { impressions: 0, clicks: 0 } };

type SingleEditFormProps = {
  settings: SettingsAnswer;
  terms: TermsAnswer;
  people: MemberAnswer[];
  deleted: DeletedGalleries;
  figures: Figures;
  /** The first label of the address. */
  label: string;
  /** Null for a parent. */
  parent: { id: number; name: string } | null;
  /** As in the address: a parent is its own. */
  parentId: number;
  isAdmin: boolean;
  passwordMin: number;
  /** How links of the organization begin. */
  address: string;
};

export function SingleEditForm(props: SingleEditFormProps) {
  const { settings, figures, label, parent, parentId, isAdmin, passwordMin, address } = props;
  const people = settings.user_details;
  const [chosenId, setUserId] = useState(people[0]?.id ?? null);
  // The person who was chosen may have gone since, and someone may have come.
  const userId = people.some(({ id }) => id === chosenId) ? chosenId : (people[0]?.id ?? null);
  const form = useSingleEdit(settings, { parentId, userId, passwordMin });
  const { submit, round, isUnsaved } = useSettingsSubmit(form, settings.domain_name, (saved) => {
    const edited = { id: saved.id, domainName: saved.domain_name, parentOrganizationId: saved.parent_organization_id };
    const isOwn = label.toLowerCase() === settings.domain_name.toLowerCase();
    return singleEditPath(isOwn ? saved.domain_name : label, edited);
  });
  const { processor_info: keys } = settings;

  return (
    <Main className="pb-12">
      <PageHeader
        title={SINGLE_EDIT_TITLE}
        subtitle={
          <>
            <strong className="font-semibold text-ink">{settings.name}</strong>
            {` · ID ${settings.id}`}
            {parent && ` · below ${parent.name}`}
          </>
        }
      />
      <AccountFigures figures={figures} />
      <PageSections sections={SECTIONS} />
      <form noValidate aria-label={SINGLE_EDIT_TITLE} onSubmit={(event) => void submit(event)}>
        <div className="pb-5 empty:hidden">
          <ErrorList messages={Object.values(form.errors).flat()} attempt={form.attempt} />
        </div>
        <ProfileSection form={form} isParent={parent === null} address={address} />
        <PasswordSection
          form={form}
          people={people}
          userId={userId}
          chooses
          onChoose={setUserId}
          passwordHint={passwordHint(passwordMin)}
        />
        <OtherContactSection form={form} />
        <ThemeSection form={form} affiliateId={settings.id} />
        <WatermarkSection form={form} affiliateId={settings.id} round={round} />
        <SponsorsSection form={form} affiliateId={settings.id} seen={NOT_COUNTED} />
        <ColorsSection form={form} />
        <PriceSection form={form} />
        <PaymentsSection
          form={form}
          isAdmin={isAdmin}
          secret={{ isSet: keys.stripe_sk_set, last4: keys.stripe_sk_last4 }}
        />
        <TimeZoneSection form={form} />
        <EditBar
          isChanged={form.isChanged}
          isResetting={form.isResetting}
          busy={form.stage === 'saving' ? UPDATING : false}
          saveLabel={saveLabel(form.stage)}
          onReset={() => void form.reset()}
        />
      </form>
      <OtherSections {...props} />
      <ConfirmPassword open={form.asksForPassword} onDone={form.goOn} />
      <LeaveGuard isUnsaved={isUnsaved} question={SETTINGS_LEAVE_QUESTION} />
    </Main>
  );
}

/** What is not saved with the form. */
function OtherSections({ settings, people, terms, deleted, parent }: SingleEditFormProps) {
  const { revalidate } = useRevalidator();
  return (
    <>
      <PeopleSection
        organization={settings}
        people={people}
        timeZone={settings.time_zone}
        onChanged={() => void revalidate()}
      />
      <SettingsSection
        id="platform"
        title="Platform"
        hint="The terms agreed with the organization. The share is stored with each order, so a change applies to new orders only."
      >
        <TermsForm
          start={terms}
          timeZone={settings.time_zone}
          isParent={parent === null}
          onSaved={() => void revalidate()}
        />
        {terms.takes_promo_codes && (
          <LinkButton
            variant="quiet"
            size="small"
            to={`/admin/promo-codes?organization=${settings.id}`}
            className="-ml-3 self-start"
          >
            Promo codes of this organization
          </LinkButton>
        )}
      </SettingsSection>
      <SettingsSection
        id="deleted"
        title="Deleted galleries"
        hint="Their owners can’t restore them; you can, within the limits of the plan."
      >
        <DeletedGalleryList organizationId={settings.id} start={deleted} timeZone={settings.time_zone} />
      </SettingsSection>
    </>
  );
}
