/** `/admin/promo-codes`: codes that pay for an account instead of a card, for platform admins (rule 22). */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PROMO_CODES_TITLE, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { CodeList } from '#src/features/codes/ui/code-list.tsx';
import { IssueCode } from '#src/features/codes/ui/code-dialogs.tsx';
import { machineDay } from '#src/shared/dates.ts';
import { readId } from '#src/shared/read-id.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Plus, Tag } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/promo-codes.page.ts';

export const handle = WORKING_PAGE;

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  const { app, caller, url } = context.get(requestContext);
  const chosen = readId(url.searchParams.get('organization') ?? '');
  const [organizations, page, organization] = await Promise.all([
    app.issuedCodes.acceptingOrganizations(caller),
    app.issuedCodes.list(caller, chosen === null ? {} : { organization_id: chosen }),
    chosen === null ? null : app.organizations.byId(chosen),
  ]);
  return {
    organizations: organizations.map(({ id, name, timeZone }) => ({
      id,
      name,
      today: machineDay(new Date(), timeZone),
    })),
    page,
    chosen: chosen === null ? null : { id: chosen, name: organization?.name ?? `Organization ${chosen}` },
  };
}

export const meta = () => unlistedPage(`${PROMO_CODES_TITLE} · Sideline`);

export default function PromoCodesPage({ loaderData }: Route.ComponentProps) {
  const { organizations, page, chosen } = loaderData;
  const [issuing, setIssuing] = useState(false);
  const [fresh, setFresh] = useState<IssuedCode[]>([]);
  const navigate = useNavigate();
  const isOff = chosen !== null && !organizations.some(({ id }) => id === chosen.id);
  // A code of another organization is listed under that one.
  const issued = fresh.filter((code) => chosen === null || code.organization.id === chosen.id);
  const add = (
    <Button onClick={() => setIssuing(true)} disabled={organizations.length === 0}>
      <Plus aria-hidden="true" />
      Issue a code
    </Button>
  );
  return (
    <Main className="pb-12">
      <PageHeader
        title={PROMO_CODES_TITLE}
        subtitle="Each pays for one new account below its organization, instead of a card."
        action={add}
      />
      <div className="my-5 max-w-90">
        <Select
          label="Organization"
          hint={isOff ? 'Promo codes are turned off here, so they can’t be used now.' : undefined}
          value={chosen === null ? '' : String(chosen.id)}
          onChange={(event) =>
            void navigate(event.target.value === '' ? '?' : `?organization=${event.target.value}`, {
              preventScrollReset: true,
            })
          }
        >
          <option value="">All organizations</option>
          {isOff && <option value={chosen.id}>{chosen.name}</option>}
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {page.promo_codes.length === 0 && issued.length === 0 ? (
        <EmptyState
          title={organizations.length === 0 ? 'No organization accepts promo codes' : 'No promo codes yet'}
          icon={<Tag />}
          action={organizations.length === 0 ? <LinkButton to="/admin/organizations">Organizations</LinkButton> : add}
        >
          {organizations.length === 0
            ? 'Open an organization and turn on promo codes under Platform.'
            : 'You set how often and how long a code can be used.'}
        </EmptyState>
      ) : (
        <CodeList
          key={chosen?.id ?? 'all'}
          start={page}
          issued={issued}
          organizationId={chosen?.id ?? null}
          today={(id) => organizations.find((organization) => organization.id === id)?.today ?? null}
        />
      )}
      {issuing && (
        <IssueCode
          organizations={organizations}
          chosen={isOff ? null : (chosen?.id ?? null)}
          onClose={() => setIssuing(false)}
          onIssued={(code) => setFresh((now) => [code, ...now])}
        />
      )}
    </Main>
  );
}
