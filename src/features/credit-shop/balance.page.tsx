/** `/:affiliate/credit/balance`: the balance of a code. It shows no name. */
import { useState, type FormEvent } from 'react';
import type { BalanceAnswer } from '#src/features/credit/credit.contract.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { api } from '#src/web/api-client.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { useForm } from '#src/web/use-form.ts';
import type { Route } from './+types/balance.page.ts';

export const handle: RouteHandle = { layout: 'affiliate' };

export function meta() {
  return [{ title: 'Credit balance' }, { name: 'robots', content: 'noindex' }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const { name, domainName: path } = context.get(affiliateContext);
  return { name, path };
}

export default function BalancePage({ loaderData }: Route.ComponentProps) {
  const form = useForm({ code: '' });
  const [found, setFound] = useState<BalanceAnswer | null>(null);

  async function fetchBalance(event: FormEvent): Promise<void> {
    event.preventDefault();
    setFound(null);
    const answer = await form.send((values) => api('POST /api/v1/credit/balance', { body: values }));
    if (answer) setFound(answer.data);
  }

  return (
    <Main className="grid justify-items-center pt-4 pb-10 sm:pb-16">
      <div className="w-full">
        <BackLink to={`/${loaderData.path}`}>{loaderData.name}</BackLink>
      </div>
      <Card className="mt-4 w-full max-w-md p-6 sm:mt-8 sm:p-8">
        <h1 className="text-xl">Credit balance</h1>
        <p className="mt-1 text-sm text-quiet">Enter a credit code to see what is left on it.</p>
        <form
          method="dialog"
          noValidate
          className="mt-6 flex flex-col gap-5"
          onSubmit={(event) => void fetchBalance(event)}
        >
          <TextField
            label="Credit code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
            {...form.field('code')}
            errors={form.errors['code'] ?? form.errors['form']}
          />
          <Button type="submit" size="large" busy={form.isSending && 'Checking...'}>
            Check the balance
          </Button>
          <noscript>
            <p className="text-sm">Please turn on JavaScript to check a balance.</p>
          </noscript>
        </form>
        <div role="status" className="[&:not(:empty)]:mt-6">
          {found && <Left found={found} path={loaderData.path} />}
        </div>
      </Card>
    </Main>
  );
}

function Left({ found, path }: { found: BalanceAnswer; path: string }) {
  const { balance, bonus, bonus_until: until } = found;
  return (
    <>
      <p className="text-2xl font-bold tabular-nums">{dollarText(balance)}</p>
      <p className="text-sm text-quiet">{balance > 0 ? 'It never expires.' : 'This code has no balance left.'}</p>
      {bonus > 0 && (
        <p className="mt-2 text-sm">
          Plus {dollarText(bonus)} as a bonus for photos{until === null ? '' : `, until ${shownDay(until)}`}.
        </p>
      )}
      {balance + bonus > 0 && (
        <LinkButton to={`/${path}`} variant="secondary" className="mt-4">
          Choose photos
        </LinkButton>
      )}
    </>
  );
}
