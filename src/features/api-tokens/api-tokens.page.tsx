/** `/:affiliate/api-tokens`: an organization's API tokens, for its members. */
import { API_TOKENS_TITLE } from '#src/features/api-tokens/api-tokens.contract.ts';
import { TokenList } from '#src/features/api-tokens/ui/token-list.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/api-tokens.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  return { id, name, path, timeZone, page: await app.apiTokens.list(caller, id), now: Date.now() };
}

export const meta = workingMeta(API_TOKENS_TITLE);

export default function ApiTokensPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, timeZone, page, now } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader
        title={API_TOKENS_TITLE}
        subtitle={name}
        back={<BackLink to={`/${path}/settings`}>Settings</BackLink>}
      />
      <p className="max-w-[66ch] pb-5 text-sm text-quiet">
        A token lets a program work for {name} without your password. It can do only what you choose, and can never
        manage people, cards, payouts or other tokens.{' '}
        <a href="/api/docs" className="font-semibold text-ink underline">
          See all calls
        </a>
      </p>
      <TokenList key={id} organizationId={id} first={page} timeZone={timeZone} now={now} />
    </Main>
  );
}
