/** `/:affiliate/webhooks`: the programs that receive an organization's events. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { AddEndpoint } from '#src/features/webhooks/ui/add-endpoint.tsx';
import { statusOf, webhookPath } from '#src/features/webhooks/webhook-words.rules.ts';
import { ENDPOINTS_AT_MOST, WEBHOOKS_TITLE, type Endpoint } from '#src/features/webhooks/webhooks.contract.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChevronRight, Plus, Webhook } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/webhooks.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, parentOrganizationId } = context.get(affiliateContext);
  return {
    id,
    name,
    path,
    isParent: parentOrganizationId === null,
    endpoints: await app.webhookEndpoints.list(caller, id),
  };
}

export const meta = workingMeta(WEBHOOKS_TITLE);

export default function WebhooksPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, isParent, endpoints } = loaderData;
  const [isAdding, setAdding] = useState(false);
  const navigate = useNavigate();
  const isFull = endpoints.length >= ENDPOINTS_AT_MOST;
  const add = (
    <Button onClick={() => setAdding(true)} disabled={isFull}>
      <Plus aria-hidden="true" />
      Add a webhook
    </Button>
  );
  return (
    <Main className="pb-12">
      <PageHeader
        title={WEBHOOKS_TITLE}
        subtitle={name}
        back={<BackLink to={`/${path}/settings`}>Settings</BackLink>}
        action={endpoints.length > 0 && add}
      />
      <p className="max-w-[66ch] pb-5 text-sm text-pretty text-quiet">
        A webhook notifies your program of what happens here: a sale, a new photo, a payout. Each message is signed so
        that your program knows it is from us.
        {isFull && ` You have ${ENDPOINTS_AT_MOST}, which is the maximum.`}
      </p>
      {endpoints.length === 0 ? (
        <EmptyState icon={<Webhook />} title="No webhooks yet" action={add}>
          You need the https address of a program that is ready to receive messages.
        </EmptyState>
      ) : (
        <ul aria-label={WEBHOOKS_TITLE} className="rounded-lg border border-line bg-surface">
          {endpoints.map((endpoint) => (
            <li key={endpoint.id} className="border-line not-first:border-t">
              <EndpointLine endpoint={endpoint} to={webhookPath(path, endpoint.id)} />
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <AddEndpoint
          organizationId={id}
          isParent={isParent}
          onClose={() => setAdding(false)}
          onAdded={(endpoint) => void navigate(webhookPath(path, endpoint.id))}
        />
      )}
    </Main>
  );
}

function EndpointLine({ endpoint, to }: { endpoint: Endpoint; to: string }) {
  const { word, tone } = statusOf(endpoint);
  return (
    <Link
      to={to}
      className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 text-sm text-ink no-underline hover:bg-sunken"
    >
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 font-semibold break-all">{endpoint.url}</span>
        <Badge tone={tone}>{word}</Badge>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 text-quiet" />
      <span className="text-quiet">{endpoint.events.join(', ')}</span>
    </Link>
  );
}
