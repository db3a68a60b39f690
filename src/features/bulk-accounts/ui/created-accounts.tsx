import type { CreatedAccount } from '#src/features/bulk-accounts/bulk-accounts.client.ts';
import { CircleCheck } from '#src/ui/icon.tsx';

/** What this page has created so far; it stays while the next ones are typed. */
export function CreatedAccounts({ accounts }: { accounts: readonly CreatedAccount[] }) {
  if (accounts.length === 0) return null;
  return (
    <section aria-label="Created accounts" className="rounded-lg border border-success bg-success-tint p-4">
      <h2 className="flex items-center gap-2 text-base">
        <CircleCheck aria-hidden="true" className="size-5 text-success" />
        Created ({accounts.length})
      </h2>
      <ul className="mt-2 grid gap-x-6 gap-y-1 text-sm lg:grid-cols-2">
        {accounts.map(({ key, organization, email, address }) => (
          <li key={key} className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2">
            <a href={address} className="min-w-0 truncate font-semibold text-ink underline underline-offset-4">
              {organization}
            </a>
            <span className="min-w-0 truncate text-ink">{email}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
