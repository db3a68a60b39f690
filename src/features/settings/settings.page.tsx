/** `/:affiliate/settings`: the settings of an organization, for its members (specification A§2 "Affiliate settings"). */
import { useState } from 'react';
import { dayOf } from '#src/features/galleries/gallery-cards.rules.ts';
import { PLAN_SECTION, PlanOfAccount } from '#src/features/billing/ui/plan-section.tsx';
import { TaxTable } from '#src/features/taxes/ui/tax-table.tsx';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { problemsOf } from '#src/features/settings/settings-form.rules.ts';
import { saveLabel, useSettingsForm, useSettingsSubmit } from '#src/features/settings/settings-form.client.ts';
import { UPDATING } from '#src/features/tenancy/settings-words.contract.ts';
import { BrandingSection, SponsorsSection, type PreviewGallery } from '#src/features/settings/ui/settings-branding.tsx';
import { sponsorSums } from '#src/features/branding/sponsors.rules.ts';
import {
  BillingSection,
  ContactSection,
  PasswordSection,
  PaymentsSection,
  PriceSection,
  ProfileSection,
  TaxIdField,
  TimeZoneSection,
} from '#src/features/settings/ui/settings-fields.tsx';
import { CONSENT_TITLE } from '#src/features/consent/consent.contract.ts';
import { RETENTION_SENTENCES } from '#src/features/roster/roster-care.contract.ts';
import { ROSTER_TITLE } from '#src/features/roster/roster.contract.ts';
import { SectionLinks, SettingsFormFrame, SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import { TAKEDOWNS_TITLE } from '#src/features/takedowns/takedowns.contract.ts';
import { takedownsPath } from '#src/features/takedowns/takedowns.rules.ts';
import { API_TOKENS_TITLE } from '#src/features/api-tokens/api-tokens.contract.ts';
import { webhooksPath } from '#src/features/webhooks/webhook-words.rules.ts';
import { WEBHOOKS_TITLE } from '#src/features/webhooks/webhooks.contract.ts';
import { ACTIVITY_TITLE } from '#src/features/audit/audit.contract.ts';
import { SettingsPeople } from '#src/features/settings/ui/people-section.tsx';
import { WatermarkSection } from '#src/features/settings/ui/settings-watermark.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { DAY_MS, machineDay } from '#src/shared/dates.ts';
import { fromDollars } from '#src/shared/money.ts';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { StickySaveBar } from '#src/ui/leave-guard.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly, requireUser } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/settings.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

/** The period of banner counts. */
const MONTH_MS = 30 * DAY_MS;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, tenant } = context.get(requestContext);
  const organization = context.get(affiliateContext);
  const viewer = requireUser(context);
  const owner = { organizationId: organization.id, parentOrganizationId: organization.parentOrganizationId };
  const isParent = !isChild(organization);
  const [settings, counts, taxRates, { galleries }, plan] = await Promise.all([
    app.settings.read(caller, organization.id),
    app.sponsors.counts(caller, organization.id),
    isParent ? app.taxTable.list(caller, organization.id) : null,
    app.galleryLists.listForOrganization(caller, owner, { limit: 1, asVisitor: true }),
    app.billing.accountPlan(caller, organization.id),
  ]);
  const [newest] = galleries;
  const gallery: PreviewGallery | null = newest
    ? {
        id: newest.id,
        name: newest.name,
        owner: null,
        address: `/${organization.domainName}/gallery/${newest.id}`,
        priceCents: fromDollars(newest.price_per_photo),
        photoCount: newest.photo_count,
        day: dayOf(new Date(newest.created_at), organization.timeZone),
        isLocked: newest.password_required,
        preview: newest.preview,
      }
    : null;
  const { baseDomain, port, passwordMin } = app.site;
  return {
    settings,
    plan,
    timeZone: organization.timeZone,
    gallery,
    taxRates,
    seen: sponsorSums(counts, machineDay(new Date(Date.now() - MONTH_MS), organization.timeZone)),
    isParent,
    parentName: isParent ? null : tenant.organization.name,
    passwordMin,
    viewer: { id: viewer.userId, isAdmin: viewer.roleId === 2 },
    address: siteUrl(siteOrigin(baseDomain, port), tenant.organization.domainName, '/'),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return unlistedPage(loaderData ? `Settings · ${loaderData.settings.name}` : 'Settings');
}

export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  return <Settings key={loaderData.settings.id} {...loaderData} />;
}

function Settings(props: Route.ComponentProps['loaderData']) {
  const { settings, plan, timeZone, gallery, seen, taxRates, isParent, passwordMin, viewer, address } = props;
  const people = settings.user_details;
  const chooses = viewer.isAdmin && !people.some(({ id }) => id === viewer.id);
  const [userId, setUserId] = useState(chooses ? (people[0]?.id ?? null) : viewer.id);
  const form = useSettingsForm(settings, {
    userId,
    problems: (values, saved) => problemsOf(values, saved, passwordMin),
  });
  const saving = useSettingsSubmit(form, settings.domain_name, (saved) => `/${saved.domain_name}/settings`);

  return (
    <Main>
      <PageHeader title="Settings" subtitle={settings.name} />
      <SectionLinks
        shows={{
          payments: viewer.isAdmin || form.values.can_add_custom_payment,
          'tax-table': taxRates !== null,
        }}
      />
      <SettingsFormFrame form={form} name="Settings" saving={saving}>
        <ProfileSection form={form} isParent={isParent} address={address} />
        <ContactSection form={form} />
        <BillingSection form={form} />
        <PasswordSection
          form={form}
          people={people}
          userId={userId}
          chooses={chooses}
          onChoose={setUserId}
          passwordMin={passwordMin}
        />
        <BrandingSection form={form} affiliateId={settings.id} gallery={gallery} />
        <WatermarkSection form={form} affiliateId={settings.id} round={saving.round} />
        <SponsorsSection form={form} affiliateId={settings.id} seen={seen} />
        <PriceSection form={form} />
        <PaymentsSection form={form} isAdmin={viewer.isAdmin} keys={settings.processor_info} />
        <SettingsSection id="taxes" title="Taxes" hint="Your organization’s tax number.">
          <TaxIdField form={form} />
        </SettingsSection>
        <TimeZoneSection form={form} />
        <StickySaveBar
          // It appears on change; after a save its button returns to Update (specification A§4).
          changed={form.isChanged || form.attempt > 0}
          busy={form.stage === 'saving' ? UPDATING : false}
          saveLabel={saveLabel(form.stage)}
          {...(form.isChanged ? { onDiscard: () => form.discard() } : {})}
        >
          {form.isChanged ? 'Unsaved changes.' : 'Everything is saved.'}
        </StickySaveBar>
      </SettingsFormFrame>
      <SettingsSection {...PLAN_SECTION}>
        <PlanOfAccount organizationId={settings.id} path={settings.domain_name} timeZone={timeZone} start={plan} />
      </SettingsSection>
      <OtherSections {...props} />
    </Main>
  );
}

type OtherSectionsProps = Pick<Route.ComponentProps['loaderData'], 'settings' | 'taxRates' | 'parentName'>;

/** Sections that are saved separately. */
function OtherSections({ settings, taxRates, parentName }: OtherSectionsProps) {
  return (
    <>
      <SettingsPeople people={settings.user_details} parentName={parentName} />
      {taxRates && (
        <SettingsSection
          id="tax-table"
          title="Sales tax"
          hint="Charged on the photos of all your teams, by the buyer’s zip. Changes here take effect immediately."
        >
          <TaxTable organizationId={settings.id} start={taxRates} />
        </SettingsSection>
      )}
      <SettingsSection
        id="requests"
        title={TAKEDOWNS_TITLE}
        hint="Anyone who sees a photo can ask you to hide it. You choose whether it is hidden right away or after your review."
      >
        <LinkButton variant="secondary" to={takedownsPath(settings.domain_name)} className="self-start">
          Open requests
        </LinkButton>
      </SettingsSection>
      <SettingsSection
        id="activity"
        title={ACTIVITY_TITLE}
        hint="Who changed what in your organization: keys, addresses, taxes, requests."
      >
        <LinkButton variant="secondary" to={`/${settings.domain_name}/activity`} className="self-start">
          Open activity
        </LinkButton>
      </SettingsSection>
      <SettingsSection
        id="api-tokens"
        title={API_TOKENS_TITLE}
        hint="Let programs work for your organization: the uploader, your own website, your accounting."
      >
        <LinkButton variant="secondary" to={`/${settings.domain_name}/api-tokens`} className="self-start">
          Open API tokens
        </LinkButton>
      </SettingsSection>
      <SettingsSection
        id="webhooks"
        title={WEBHOOKS_TITLE}
        hint="Notify your own program of what happens here: a sale, a new photo, a payout."
      >
        <LinkButton variant="secondary" to={webhooksPath(settings.domain_name)} className="self-start">
          Open webhooks
        </LinkButton>
      </SettingsSection>
      <SettingsSection
        id="roster"
        title={ROSTER_TITLE}
        hint="Names of your athletes, for your members only, and how long they are kept."
      >
        <div className="flex max-w-prose flex-col gap-2 text-sm">
          {RETENTION_SENTENCES.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          <LinkButton variant="secondary" to={`/${settings.domain_name}/roster`}>
            Open the roster
          </LinkButton>
          <LinkButton variant="secondary" to={`/${settings.domain_name}/roster/settings`}>
            {CONSENT_TITLE}
          </LinkButton>
        </div>
      </SettingsSection>
      <SettingsSection
        id="your-data"
        title="Your data"
        hint="A copy of everything that is stored for your organization: galleries, original photos, orders and books."
      >
        <LinkButton variant="secondary" to={`/${settings.domain_name}/your-data`} className="self-start">
          Open your data
        </LinkButton>
      </SettingsSection>
    </>
  );
}
