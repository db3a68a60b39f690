/** `/:affiliate/create-bulk-users`: many accounts on one page, for platform admins (specification A§2, 4, 5, 7, 8). */
import { useCallback, useEffect, useRef, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useBulkAccounts } from '#src/features/bulk-accounts/bulk-accounts.client.ts';
import {
  ADD_MORE,
  CREATE_ACCOUNTS,
  creatingAccount,
  DRAFT_WITHOUT,
  LEAVE_ACCOUNTS_QUESTION,
  MAX_FORMS,
} from '#src/features/bulk-accounts/bulk-accounts.contract.ts';
import { AccountFields } from '#src/features/bulk-accounts/ui/account-fields.tsx';
import { CreatedAccounts } from '#src/features/bulk-accounts/ui/created-accounts.tsx';
import { usersDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { OtherWays } from '#src/features/bulk-imports/ui/other-ways.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { requireUser } from '#src/features/tenancy/actor.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Plus } from '#src/ui/icon.tsx';
import { DraftNotice } from '#src/ui/draft-notice.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/create-bulk-users.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  return {
    userId: requireUser(caller.actor).userId,
    /** New accounts most often come beside the one whose page this is. */
    parent: await app.organizationChoices.one(caller, affiliate.parentOrganizationId ?? affiliate.id),
    path: affiliate.domainName,
    passwordMin: app.site.passwordMin,
  };
}

/** Everything on this page is its own: nothing that happens here asks for it again. */
export const shouldRevalidate = () => false;

export function meta() {
  return [{ title: 'Create Bulk Accounts · Sideline' }, { name: 'robots', content: 'noindex' }];
}

export default function CreateBulkUsersPage({ loaderData }: Route.ComponentProps) {
  const { path, parent, passwordMin } = loaderData;
  const accounts = useBulkAccounts(loaderData);
  const { forms, told, progress } = accounts;
  const isBusy = progress !== null;
  const isUnsaved = useRef(false);
  useEffect(() => {
    isUnsaved.current = accounts.isUnsaved;
  });
  const mayNotLeave = useCallback(() => isUnsaved.current, []);
  const demo = usersDemoFile(parent?.name ?? '');

  function submit(event: FormEvent): void {
    event.preventDefault();
    void accounts.create();
  }

  function add(): void {
    let key = null as string | null;
    flushSync(() => {
      key = accounts.add();
    });
    if (key !== null)
      document.getElementById(`account-${key}`)?.querySelector<HTMLElement>('[name="newOrgName"]')?.focus();
  }

  return (
    <Main className="max-w-360 pb-12">
      <PageHeader
        title="Create Bulk Accounts"
        subtitle="Each form opens an account on the free tier, with a person and an organization of their own."
        action={<OtherWays to={`/${path}/bulk-users-csv`} label="Upload a CSV file" demo={demo} />}
      />
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <CreatedAccounts accounts={accounts.created} />
        {accounts.isBack && !isBusy && <DraftNotice without={DRAFT_WITHOUT} onStartOver={accounts.startOver} />}
        <ErrorList messages={told.messages} attempt={told.attempt} />
        <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">Accounts to create</legend>
          {forms.map((form, index) => (
            <AccountFields
              key={form.key}
              form={form}
              place={index + 1}
              errors={told.errors[form.key] ?? {}}
              passwordMin={passwordMin}
              onRemove={forms.length > 1 ? () => accounts.remove(form.key) : null}
              onChange={(change) => accounts.change(form.key, change)}
            />
          ))}
        </fieldset>
        <div className="sticky-bar sticky bottom-0 z-20 -mx-5 flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line bg-surface px-5 py-3 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))]">
          <Checkbox
            label="All agree to the Terms of Service"
            disabled={isBusy}
            checked={forms.every(({ agreeToTerms }) => agreeToTerms)}
            onChange={(event) => accounts.agreeToAll(event.target.checked)}
          />
          <div className="ml-auto flex flex-wrap gap-3">
            <Button variant="secondary" disabled={isBusy || forms.length >= MAX_FORMS} onClick={add}>
              <Plus aria-hidden="true" />
              {ADD_MORE}
            </Button>
            <Button type="submit" busy={progress !== null && creatingAccount(progress.place, progress.total)}>
              {CREATE_ACCOUNTS}
            </Button>
          </div>
        </div>
      </form>
      <LeaveGuard isUnsaved={mayNotLeave} question={LEAVE_ACCOUNTS_QUESTION} />
    </Main>
  );
}
