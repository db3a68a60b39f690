/** `/new-org`: a platform admin creates a parent organization (specification A§2, "New organization form"). */
import { useEffect, useRef } from 'react';
import { passwordHint } from '#src/features/sign-in/passwords.contract.ts';
import { CREATE, CREATING, NEW_ORG_TITLE, START_OVER } from '#src/features/office/new-org.contract.ts';
import { useNewOrg, type NewOrgForm } from '#src/features/office/new-org.client.ts';
import { ROOT_ID } from '#src/features/tenancy/organizations.rules.ts';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import { singleEditPath } from '#src/features/office/organization-list.rules.ts';
import { LogoField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { PasswordField } from '#src/ui/form/password-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/new-org.page.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field } from '#src/ui/form/field.tsx';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export function loader({ context }: Route.LoaderArgs) {
  const { app, tenant } = context.get(requestContext);
  const origin = siteOrigin(app.site.baseDomain, app.site.port);
  const [protocol = '', suffix = ''] = siteUrl(origin, '', '').split('//');
  return { protocol, suffix, label: tenant.organization.domainName, passwordMin: app.site.passwordMin };
}

export const meta = () => unlistedPage(`${NEW_ORG_TITLE} · Sideline`);

export default function NewOrgPage({ loaderData }: Route.ComponentProps) {
  const { protocol, suffix, label, passwordMin } = loaderData;
  const form = useNewOrg(passwordMin);
  return (
    <Main className="pb-12">
      <PageHeader title={NEW_ORG_TITLE} />
      <div className="max-w-2xl pt-6">
        {form.made ? (
          <Made
            organization={form.made}
            address={`${protocol}//${form.made.domain_name}${suffix}/`}
            label={label}
            onStartOver={form.startOver}
          />
        ) : (
          <OrgForm form={form} suffix={suffix} passwordMin={passwordMin} />
        )}
      </div>
    </Main>
  );
}

function OrgForm({ form, suffix, passwordMin }: { form: NewOrgForm; suffix: string; passwordMin: number }) {
  const { values, errors } = form;
  return (
    <form noValidate method="post" onSubmit={(event) => void form.submit(event)} className="flex flex-col gap-6">
      <ErrorList messages={Object.values(errors).flat()} attempt={form.attempt} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <h2 className="text-lg">The organization</h2>
        <TextField label="Organization name" required maxLength={200} autoComplete="off" {...form.field('name')} />
        <HostField
          value={values.domain_name}
          suffix={suffix}
          errors={errors['domain_name']}
          onChange={(value) => form.set({ domain_name: value })}
          onBlur={form.settleAddress}
        />
        <LogoField
          value={values.logo_url}
          errors={form.logoProblems.length > 0 ? form.logoProblems : errors['logo_url']}
          // Uploads are signed for an organization; those for a new one are signed for the main one.
          affiliateId={ROOT_ID}
          onChange={(key) => {
            form.set({ logo_url: key });
            form.setLogoProblems([]);
          }}
          onProblems={form.setLogoProblems}
        />
      </Card>
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <div>
          <h2 className="text-lg">Its contact</h2>
          <p className="mt-1 text-sm text-quiet">
            Gets an account and manages the organization. We email them the address, not the password.
          </p>
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="Contact name" maxLength={200} autoComplete="off" {...form.field('contact_name')} />
          <TextField
            type="email"
            spellCheck={false}
            label="Contact email"
            required
            autoComplete="off"
            {...form.field('contact_email')}
          />
        </div>
        <PasswordField
          label="Password"
          required
          autoComplete="new-password"
          hint={passwordHint(passwordMin)}
          {...form.field('password')}
        />
      </Card>
      <div>
        <Button type="submit" size="large" busy={form.isSending && CREATING}>
          {CREATE}
        </Button>
      </div>
    </form>
  );
}

type MadeProps = { organization: PublicOrganization; address: string; label: string; onStartOver: () => void };

function Made({ organization, address, label, onStartOver }: MadeProps) {
  const { id, name, domain_name: domainName, logo_url: logoUrl, contact_email: email } = organization;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-8">
      {logoUrl ? (
        <img src={logoUrl} alt="" className="h-16 max-w-40 object-contain" />
      ) : (
        <CircleCheck aria-hidden="true" className="size-8 text-success" />
      )}
      <h2 ref={heading} tabIndex={-1} className="text-xl break-words outline-none">
        {name} is open.
      </h2>
      <p>
        Its address is{' '}
        <a
          href={address}
          className="font-semibold break-all underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          {address}
        </a>
      </p>
      {email !== null && <p className="text-sm text-quiet">We sent a welcome email to {email}.</p>}
      <div className="flex flex-wrap gap-3 pt-2">
        <a href={`${address}${domainName}/bulk-users-csv`} className={buttonStyle({})}>
          Add accounts from CSV
        </a>
        <LinkButton variant="secondary" to={singleEditPath(label, { id, domainName, parentOrganizationId: null })}>
          Edit it
        </LinkButton>
        <Button variant="secondary" onClick={onStartOver}>
          {START_OVER}
        </Button>
        <LinkButton variant="quiet" to="/admin/organizations">
          All organizations
        </LinkButton>
      </div>
    </Card>
  );
}

type HostFieldProps = {
  value: string;
  /** ".example.org" */
  suffix: string;
  errors: readonly string[] | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
};

/** The host of a new organization without the site's domain, as it will be in the address bar. */
export function HostField({ value, suffix, errors, onChange, onBlur }: HostFieldProps) {
  return (
    <Field label="Domain name" hint="Based on the name. Letters, digits and hyphens." errors={errors}>
      {(control) => (
        <div className="flex">
          <input
            {...control}
            type="text"
            name="domain_name"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={63}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
            className={`${CONTROL} min-w-0 flex-1 rounded-r-none`}
          />
          <span className="flex max-w-[55%] min-w-0 items-center rounded-r border border-l-0 border-line-strong bg-sunken px-3 text-sm text-quiet">
            <span className="truncate" title={suffix}>
              {suffix}
            </span>
          </span>
        </div>
      )}
    </Field>
  );
}
