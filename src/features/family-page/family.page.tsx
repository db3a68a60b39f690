/** `/:affiliate/family`: all photos of a family's own child, opened by the card (athletes specification B.3). */
import { useEffect, useRef, useState } from 'react';
import { data, Link, redirect, useNavigate, type ShouldRevalidateFunctionArgs } from 'react-router';
import { FAMILY_TITLE } from '#src/features/family-page/family-page.contract.ts';
import { ChildPhotos } from '#src/features/family-page/ui/child-photos.tsx';
import { CodeForm } from '#src/features/family-page/ui/code-form.tsx';
import { familyPath, readKey } from '#src/features/families/families.rules.ts';
import { presentTabs } from '#src/features/family-page/family-page.rules.ts';
import { readId } from '#src/shared/read-id.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { Plus } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { api, messagesOf } from '#src/web/api-client.ts';
import type { Route } from './+types/family.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';

export const headers = () => SECRET_PAGE;

/** No name: titles stay in the history of a browser that others use. */
export const meta = () => secretMeta(FAMILY_TITLE);

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const open = await app.families.familyAthletes(caller);
  const requested = open.find(({ athleteId }) => athleteId === readId(url.searchParams.get('child') ?? ''));
  // The child's own club sells the photos.
  if (requested && requested.organizationId !== affiliate.id)
    throw redirect(`${familyPath(requested.organizationPath)}?child=${requested.athleteId}`);
  const child = requested ?? open.find(({ organizationId }) => organizationId === affiliate.id);
  const isAdding = url.searchParams.has('add') || !child;
  const page = isAdding ? null : await app.familyPage.photos(caller, { child: child.athleteId });
  return data(
    {
      affiliate: { id: affiliate.id, name: affiliate.name, path: affiliate.domainName },
      tabs: presentTabs(open),
      page,
    },
    { headers: SECRET_PAGE },
  );
}

/** Opening a photo over the list does not reload it. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const without = (url: URL) => {
    const search = new URLSearchParams(url.search);
    search.delete('photo');
    return `${url.pathname}?${search}`;
  };
  return currentUrl.href !== nextUrl.href && without(currentUrl) === without(nextUrl) ? false : defaultShouldRevalidate;
}

export default function FamilyPage({ loaderData }: Route.ComponentProps) {
  const { affiliate, tabs, page } = loaderData;
  const problem = useCardOfAddress(affiliate.path);
  return (
    <Main edgeToEdge className="pb-10">
      <div className="px-5 pt-4">
        <BackLink to={`/${affiliate.path}`}>{affiliate.name}</BackLink>
      </div>
      {tabs.length > 0 && <ChildTabs tabs={tabs} shown={page?.child.id ?? null} affiliate={affiliate.path} />}
      {page ? (
        <ChildPhotos
          key={`${page.child.id} ${page.total} ${page.child.consent}`}
          page={page}
          affiliate={affiliate}
          hasSiblings={tabs.length > 1}
        />
      ) : (
        <div className="mx-auto w-full max-w-md px-5 py-8 sm:py-14">
          <Card className="p-6 sm:p-8">
            <h1 className="text-xl">{FAMILY_TITLE}</h1>
            <p className="mt-1 text-pretty text-quiet">
              Your team gave you a card. Enter its code to see all photos of your child at {affiliate.name}.
            </p>
            <CodeForm affiliate={affiliate.path} problem={problem} />
          </Card>
        </div>
      )}
    </Main>
  );
}

type TabsProps = { tabs: ReturnType<typeof presentTabs>; shown: number | null; affiliate: string };

function ChildTabs({ tabs, shown, affiliate }: TabsProps) {
  const tabStyle = (isOn: boolean) =>
    cx(
      'inline-flex min-h-11 items-center rounded-full border px-4 text-sm font-semibold',
      isOn ? 'border-ink bg-ink text-paper' : 'border-line bg-surface hover:border-line-strong',
    );
  return (
    <nav aria-label="Children" className="flex flex-wrap gap-2 px-5 pt-2">
      {tabs.map(({ id, name, path }) => (
        <Link
          key={id}
          to={`${familyPath(path)}?child=${id}`}
          aria-current={id === shown ? 'page' : undefined}
          className={tabStyle(id === shown)}
        >
          {name}
        </Link>
      ))}
      <Link to={`${familyPath(affiliate)}?add=yes`} aria-label="Add a child" className={tabStyle(shown === null)}>
        <Plus aria-hidden="true" className="size-4" />
      </Link>
    </nav>
  );
}

/**
 * A QR code leads here with its key after #, which only the browser sees; the address is cleaned immediately. Returns
 * what went wrong.
 */
function useCardOfAddress(affiliate: string): string | null {
  const [problem, setProblem] = useState<string | null>(null);
  const isSent = useRef(false);
  const navigate = useNavigate();
  useEffect(() => {
    const key = readKey(window.location.hash.slice(1));
    if (key === null || isSent.current) return;
    isSent.current = true;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
    void (async () => {
      const answer = await api('POST /api/v1/family', { body: { key } });
      if (answer.ok) await navigate(`${familyPath(affiliate)}?child=${answer.data.child.id}`, { replace: true });
      else setProblem(messagesOf(answer)[0] ?? answer.error);
    })();
  }, [affiliate, navigate]);
  return problem;
}
