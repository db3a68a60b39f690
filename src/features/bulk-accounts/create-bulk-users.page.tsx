/** `/:affiliate/create-bulk-users`: many accounts on one page, for platform admins (specification A§2, 4, 5, 7, 8). */
import { useCallback, useEffect, useRef, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import { useBulkAccounts } from '#src/features/bulk-accounts/bulk-accounts.client.ts';
import {
  CREATE_ACCOUNTS,
  creatingAccount,
  DRAFT_WITHOUT,
  LEAVE_ACCOUNTS_QUESTION,
  MAX_FORMS,
} from '#src/features/bulk-accounts/bulk-accounts.contract.ts';
import { AccountFields } from '#src/features/bulk-accounts/ui/account-fields.tsx';
import { usersDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { BulkForms } from '#src/features/bulk-imports/ui/bulk-page.tsx';
import { requireUser } from '#src/features/tenancy/actor.rules.ts';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/create-bulk-users.page.ts';

const FORM_ID = 'accounts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  return {
    userId: requireUser(caller.actor).userId,
    /** New accounts usually have the same parent as the current one. */
    parent: await app.organizationChoices.one(caller, affiliate.parentOrganizationId ?? affiliate.id),
    path: affiliate.domainName,
    passwordMin: app.site.passwordMin,
  };
}

/** The page keeps its own state: no action reloads its data. */
export const shouldRevalidate = () => false;

export const meta = () => unlistedPage('Create Bulk Accounts · Sideline');

export default function CreateBulkUsersPage({ loaderData }: Route.ComponentProps) {
  const { path, parent, passwordMin } = loaderData;
  const accounts = useBulkAccounts(loaderData);
  const { forms, notice, progress } = accounts;
  const isBusy = progress !== null;
  const isUnsaved = useRef(false);
  useEffect(() => {
    isUnsaved.current = accounts.isUnsaved;
  });
  const readIsUnsaved = useCallback(() => isUnsaved.current, []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    void accounts.create();
  }

  function add(): void {
    const key = flushSync(() => accounts.add());
    if (key !== null)
      document.getElementById(`account-${key}`)?.querySelector<HTMLElement>('[name="newOrgName"]')?.focus();
  }

  return (
    <BulkForms
      title="Create Bulk Accounts"
      subtitle="Each form creates an account on the free tier, with its own user and organization."
      otherWay={{ to: `/${path}/bulk-users-csv`, label: 'Upload a CSV file', demo: usersDemoFile(parent?.name ?? '') }}
      done={{ label: 'Created accounts', heading: 'Created', items: accounts.created }}
      notice={notice}
      draft={accounts.isRestored && !isBusy ? { without: DRAFT_WITHOUT, onStartOver: accounts.startOver } : null}
      isUnsaved={readIsUnsaved}
      leaveQuestion={LEAVE_ACCOUNTS_QUESTION}
      bar={{
        isFull: forms.length >= MAX_FORMS,
        busy: progress !== null && creatingAccount(progress.place, progress.total),
        label: CREATE_ACCOUNTS,
        onAdd: add,
        submit: { type: 'submit', form: FORM_ID },
        children: (
          <Checkbox
            label="All agree to the Terms of Service"
            disabled={isBusy}
            checked={forms.every(({ agreeToTerms }) => agreeToTerms)}
            onChange={(event) => accounts.agreeToAll(event.target.checked)}
          />
        ),
      }}
    >
      <form method="dialog" id={FORM_ID} noValidate onSubmit={submit}>
        <fieldset disabled={isBusy} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">Accounts to create</legend>
          {forms.map((form, index) => (
            <AccountFields
              key={form.key}
              form={form}
              place={index + 1}
              errors={notice.errors[form.key] ?? {}}
              passwordMin={passwordMin}
              onRemove={forms.length > 1 ? () => accounts.remove(form.key) : null}
              onChange={(change) => accounts.change(form.key, change)}
            />
          ))}
        </fieldset>
      </form>
    </BulkForms>
  );
}
