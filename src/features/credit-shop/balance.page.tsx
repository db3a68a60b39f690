/**
 * `/:affiliate/credit/balance`: the balance of a code, which is typed or follows # in the address. It shows no name.
 */
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { keepCode } from '#src/features/credit-shop/ui/keep-code.ts';
import type { BalanceAnswer } from '#src/features/credit/credit.contract.ts';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText, fromDollars, toDollars } from '#src/shared/money.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { api } from '#src/web/api-client.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';
import type { Route } from './+types/balance.page.ts';

export const handle: RouteHandle = { layout: 'affiliate' };

export function meta() {
  return [{ title: 'Credit balance' }, { name: 'robots', content: 'noindex' }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const seller = context.get(affiliateContext);
  return { id: seller.id, name: seller.name, path: seller.domainName, hasTeams: !isChild(seller) };
}

export default function BalancePage({ loaderData }: Route.ComponentProps) {
  const form = useForm({ code: '' });
  const [found, setFound] = useState<Found | null>(null);
  const element = useRef<HTMLFormElement>(null);
  useFocusOnError(element, form.attempt);

  async function fetchBalance(values = form.values, isFromEmail = false): Promise<void> {
    setFound(null);
    const ofGift = isFromEmail && { from_email: true };
    const answer = await form.send(
      (body) => api('POST /api/v1/credit/balance', { body: { ...body, ...ofGift } }),
      values,
    );
    if (answer) setFound({ ...answer.data, code: values.code.trim() });
  }
  useCodeOfAddress((code) => {
    form.setValues({ code });
    void fetchBalance({ code }, true);
  });

  return (
    <Main className="grid justify-items-center pt-4 pb-10 sm:pb-16">
      <div className="w-full">
        <BackLink to={`/${loaderData.path}`}>{loaderData.name}</BackLink>
      </div>
      <Card className="mt-4 w-full max-w-md p-6 sm:mt-8 sm:p-8">
        <h1 className="text-xl">Credit balance</h1>
        <p className="mt-1 text-sm text-quiet">Enter a credit code to see what is left on it.</p>
        <form
          ref={element}
          method="dialog"
          noValidate
          className="mt-6 flex flex-col gap-5"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void fetchBalance();
          }}
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
          {/* With something to spend, choosing photos is the next step. */}
          <Button
            type="submit"
            size="large"
            variant={found && found.balance + found.bonus > 0 ? 'secondary' : 'primary'}
            busy={form.isSending && 'Checking...'}
          >
            Check the balance
          </Button>
          <noscript>
            <p className="text-sm">Please turn on JavaScript to check a balance.</p>
          </noscript>
        </form>
        <div role="status" className="[&:not(:empty)]:mt-6">
          {found && <Left found={found} seller={loaderData} />}
        </div>
      </Card>
    </Main>
  );
}

type Found = BalanceAnswer & { code: string };

/** The email of a gift leads here with its code after #, which only the browser sees; the address is cleaned. */
function useCodeOfAddress(onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  useEffect(() => {
    const code = window.location.hash.slice(1);
    if (code === '') return;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    take(code);
  }, []);
}

type LeftProps = { found: Found; seller: { id: number; path: string; hasTeams: boolean } };

function Left({ found, seller }: LeftProps) {
  const { balance, bonus, bonus_until: until, code } = found;
  return (
    <>
      <p className="text-2xl font-bold tabular-nums">
        {dollarText(toDollars(fromDollars(balance) + fromDollars(bonus)))}
      </p>
      {bonus === 0 ? (
        <p className="text-sm text-quiet">{balance > 0 ? 'It never expires.' : 'This code has no balance left.'}</p>
      ) : (
        <p className="text-sm text-pretty text-quiet">
          {dollarText(bonus)} of it is a bonus for photos{until === null ? '' : `, until ${shownDay(until)}`}.
          {balance > 0 && ` ${dollarText(balance)} never expires.`}
        </p>
      )}
      {balance + bonus > 0 && (
        <>
          <LinkButton to={`/${seller.path}`} className="mt-4" onClick={() => keepCode(seller.id, code)}>
            Choose photos
          </LinkButton>
          {/* A parent's code pays at its teams, each of which has its own cart. */}
          <p className="mt-2 text-sm text-quiet">
            {seller.hasTeams ? 'Enter this code when you pay.' : 'We’ll enter this code for you when you pay.'}
          </p>
        </>
      )}
    </>
  );
}
