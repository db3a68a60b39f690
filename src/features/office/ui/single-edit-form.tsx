import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { MemberAnswer } from '#src/features/members/members.contract.ts';
import type { TermsAnswer } from '#src/features/codes/terms.contract.ts';
import { TermsForm } from '#src/features/codes/ui/terms-form.tsx';
import type { DeletedGalleries } from '#src/features/galleries/galleries.contract.ts';
import { DeletedGalleryList } from '#src/features/galleries/ui/deleted-gallery-list.tsx';
import { saveLabel, useSettingsSubmit, type SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { RESET, RESETTING, SINGLE_EDIT_TITLE, type SettingsAnswer } from '#src/features/settings/settings.contract.ts';
import { UPDATING } from '#src/features/tenancy/settings-words.contract.ts';
import { useSingleEdit } from '#src/features/office/single-edit.client.ts';
import { singleEditPath } from '#src/features/office/organization-list.rules.ts';
import { PageSections, SettingsFormFrame, SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import {
  BillingFields,
  ColorField,
  ContactFields,
  PasswordSection,
  PaymentsSection,
  PriceSection,
  ProfileSection,
  TaxIdField,
  TimeZoneSection,
} from '#src/features/settings/ui/settings-fields.tsx';
import { PeopleSection } from '#src/features/settings/ui/people-section.tsx';
import { SponsorsSection } from '#src/features/settings/ui/settings-branding.tsx';
import { WatermarkSection } from '#src/features/settings/ui/settings-watermark.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { Button } from '#src/ui/button.tsx';
import { dollarText } from '#src/shared/money.ts';

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

/** Owners see the counts of their banners in the settings. */
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
  /** The start of the organization's links. */
  address: string;
};

export function SingleEditForm(props: SingleEditFormProps) {
  const { settings, figures, label, parent, parentId, isAdmin, passwordMin, address } = props;
  const people = settings.user_details;
  const [chosenId, setUserId] = useState(people[0]?.id ?? null);
  // The chosen person may have been removed, and someone may have been added.
  const userId = people.some(({ id }) => id === chosenId) ? chosenId : (people[0]?.id ?? null);
  const form = useSingleEdit(settings, { parentId, userId, passwordMin });
  const saving = useSettingsSubmit(form, settings.domain_name, (saved) => {
    const edited = { id: saved.id, domainName: saved.domain_name, parentOrganizationId: saved.parent_organization_id };
    const isOwn = label.toLowerCase() === settings.domain_name.toLowerCase();
    return singleEditPath(isOwn ? saved.domain_name : label, edited);
  });

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
      <SettingsFormFrame form={form} name={SINGLE_EDIT_TITLE} saving={saving}>
        <ProfileSection form={form} isParent={parent === null} address={address} />
        <PasswordSection
          form={form}
          people={people}
          userId={userId}
          chooses
          onChoose={setUserId}
          passwordMin={passwordMin}
        />
        <OtherContactSection form={form} />
        <ThemeSection form={form} affiliateId={settings.id} />
        <WatermarkSection form={form} affiliateId={settings.id} round={saving.round} />
        <SponsorsSection form={form} affiliateId={settings.id} seen={NOT_COUNTED} />
        <ColorsSection form={form} />
        <PriceSection form={form} />
        <PaymentsSection form={form} isAdmin={isAdmin} keys={settings.processor_info} />
        <TimeZoneSection form={form} />
        <EditBar
          isChanged={form.isChanged}
          isResetting={form.isResetting}
          busy={form.stage === 'saving' ? UPDATING : false}
          saveLabel={saveLabel(form.stage)}
          onReset={() => void form.reset()}
        />
      </SettingsFormFrame>
      <OtherSections {...props} />
    </Main>
  );
}

/** Sections that are not saved with the form. */
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

type SectionProps = { form: SettingsForm };

/** Contact, billing and tax number, which the settings show separately. */
function OtherContactSection({ form }: SectionProps) {
  return (
    <SettingsSection
      id="contact"
      title="Other contact info"
      hint="How to reach the organization, and where payouts and emails about money go."
    >
      <ContactFields form={form} />
      <div className="flex flex-col gap-5 border-t border-line pt-5">
        <BillingFields form={form} />
      </div>
      <div className="border-t border-line pt-5">
        <TaxIdField form={form} />
      </div>
    </SettingsSection>
  );
}

/** Logo and home image. */
function ThemeSection({ form, affiliateId }: SectionProps & { affiliateId: number }) {
  return (
    <SettingsSection id="theme" title="Theme details" hint="Images for the organization’s own pages.">
      <PictureField form={form} affiliateId={affiliateId} kind="logo" />
      <PictureField
        form={form}
        affiliateId={affiliateId}
        kind="home_image"
        hint="Exactly 1278 × 500 pixels at 72 DPI, PNG or JPEG. Behind the name, at the top of the page."
      />
    </SettingsSection>
  );
}

function ColorsSection({ form }: SectionProps) {
  return (
    <SettingsSection id="colors" title="Colors" hint="Written as #0099CC or rgb(0, 153, 204); saved as hex.">
      <div className="max-w-90">
        <ColorField form={form} />
      </div>
    </SettingsSection>
  );
}

type EditBarProps = {
  isChanged: boolean;
  isResetting: boolean;
  /** Text while saving, false otherwise. */
  busy: string | false;
  saveLabel: string;
  onReset: () => void;
};

/** Both buttons of the Single User Update, always visible at the bottom; Update submits the form around it. */
function EditBar({ isChanged, isResetting, busy, saveLabel, onReset }: EditBarProps) {
  return (
    <div className="sticky-bar sticky bottom-0 z-20 -mx-5 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-5 py-3 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))]">
      <p role="status" className="text-sm text-quiet">
        {isChanged ? 'Unsaved changes.' : 'Everything is saved.'}
      </p>
      <div className="ml-auto flex gap-3">
        <Button variant="secondary" onClick={onReset} busy={isResetting ? RESETTING : false} disabled={busy !== false}>
          {RESET}
        </Button>
        <Button type="submit" busy={busy} disabled={isResetting}>
          {saveLabel}
        </Button>
      </div>
    </div>
  );
}

/** Orders, photos and dollars; absent if nothing was counted. */
type Counted = readonly (number | undefined)[];
type Figures = { preview: Counted; total: Counted; galleries: number };

const NAMES = ['Orders', 'Photos', 'Sales'] as const;

/** What an account sold: a small table that compares the month with the total. */
function AccountFigures({ figures }: { figures: Figures }) {
  return (
    <table className="my-5 w-full max-w-xl text-sm tabular-nums">
      <caption className="sr-only">What the organization sold</caption>
      <thead>
        <tr className="border-b border-line text-xs text-quiet">
          <th scope="col" className="py-2 pr-3 text-left font-semibold">
            {galleriesText(figures.galleries)}
          </th>
          {NAMES.map((name) => (
            <th key={name} scope="col" className="px-3 py-2 text-right font-semibold">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row name="Last 30 days" counted={figures.preview} />
        <Row name="In all" counted={figures.total} />
      </tbody>
    </table>
  );
}

function Row({ name, counted: [orders = 0, photos = 0, dollars = 0] }: { name: string; counted: Counted }) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2 pr-3 text-left font-normal">
        {name}
      </th>
      <td className="px-3 py-2 text-right">{formatCount(orders)}</td>
      <td className="px-3 py-2 text-right">{formatCount(photos)}</td>
      <td className="px-3 py-2 text-right font-semibold">{dollarText(dollars)}</td>
    </tr>
  );
}

/** A list has at most a hundred. */
function galleriesText(count: number): string {
  if (count === 0) return 'No gallery';
  return count === 1 ? '1 gallery' : `${count}${count >= 100 ? ' or more' : ''} galleries`;
}
