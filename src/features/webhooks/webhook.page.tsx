/** `/:affiliate/webhooks/:webhook`: the settings of one webhook, its secret, and its deliveries. */
import { useNavigate, useRevalidator } from 'react-router';
import { DeliveryLog } from '#src/features/webhooks/ui/delivery-log.tsx';
import { DeleteEndpoint, EndpointSecret, EndpointSettings } from '#src/features/webhooks/ui/endpoint-settings.tsx';
import { hostWords, statusOf, webhookPath, webhooksPath } from '#src/features/webhooks/webhook-words.rules.ts';
import {
  ENDPOINT_NOT_FOUND,
  LOG_DAYS,
  WEBHOOKS_TITLE,
  type Endpoint,
} from '#src/features/webhooks/webhooks.contract.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/webhook.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const { id: affiliateId, name, domainName: path, timeZone, parentOrganizationId } = context.get(affiliateContext);
  const id = readId(params.webhook);
  if (id === null) throw notFound(ENDPOINT_NOT_FOUND);
  const onlyFailed = url.searchParams.get('state') === 'failed';
  const [endpoint, log] = await Promise.all([
    app.webhookEndpoints.read(caller, id),
    app.webhookEndpoints.deliveries(caller, id, onlyFailed ? { state: 'failed' } : {}),
  ]);
  // Belongs to another organization of the same members.
  if (endpoint.organization_id !== affiliateId) throw notFound(ENDPOINT_NOT_FOUND);
  return { name, path, timeZone, isParent: parentOrganizationId === null, endpoint, log, onlyFailed };
}

export const meta = workingMeta(WEBHOOKS_TITLE);

export default function WebhookPage({ loaderData }: Route.ComponentProps) {
  const { path, timeZone, isParent, endpoint, log, onlyFailed } = loaderData;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const { word, tone } = statusOf(endpoint);
  const to = webhookPath(path, endpoint.id);
  return (
    <Main className="pb-12">
      <PageHeader
        title={hostWords(endpoint.url)}
        subtitle={<Badge tone={tone}>{word}</Badge>}
        back={<BackLink to={webhooksPath(path)}>{WEBHOOKS_TITLE}</BackLink>}
      />
      <Trouble endpoint={endpoint} timeZone={timeZone} />
      <div className="@container">
        <div className="grid gap-8 @4xl:grid-cols-[minmax(0,1fr)_24rem] @4xl:items-start">
          <section aria-labelledby="deliveries" className="min-w-0">
            <h2 id="deliveries" className="text-lg">
              Deliveries
            </h2>
            <p className="mt-1 mb-3 text-sm text-quiet">{`Kept for ${LOG_DAYS} days.`}</p>
            <TabLinks
              label="Deliveries"
              tabs={[
                { label: 'All', to, current: !onlyFailed },
                { label: 'Failed', to: `${to}?state=failed`, current: onlyFailed },
              ]}
            />
            <div className="pt-4">
              <DeliveryLog
                key={String(onlyFailed)}
                endpointId={endpoint.id}
                onlyFailed={onlyFailed}
                first={log}
                isOn={endpoint.active}
                timeZone={timeZone}
                ownerId={endpoint.organization_id}
              />
            </div>
          </section>
          <div className="flex min-w-0 flex-col gap-8">
            <section aria-labelledby="webhook" className="flex flex-col gap-3">
              <h2 id="webhook" className="text-lg">
                Webhook
              </h2>
              <EndpointSettings endpoint={endpoint} isParent={isParent} onChanged={revalidate} />
            </section>
            <section aria-labelledby="secret" className="flex flex-col gap-3">
              <h2 id="secret" className="text-lg">
                Secret
              </h2>
              <EndpointSecret endpoint={endpoint} timeZone={timeZone} onChanged={revalidate} />
            </section>
            <DeleteEndpoint
              id={endpoint.id}
              host={hostWords(endpoint.url)}
              onDeleted={() => void navigate(webhooksPath(path))}
            />
          </div>
        </div>
      </div>
    </Main>
  );
}

function Trouble({ endpoint, timeZone }: { endpoint: Endpoint; timeZone: string }) {
  const { paused_at, failing_since, active } = endpoint;
  const moment = (text: string) => publicMoment(new Date(text), timeZone);
  const words =
    paused_at !== null
      ? `We stopped sending on ${moment(paused_at)}, because your receiver accepted nothing for days or refuses messages permanently. When it works again, turn the webhook on and send what failed again.`
      : active && failing_since !== null
        ? `Your receiver has accepted nothing since ${moment(failing_since)}. We keep trying; after three days we stop.`
        : null;
  if (words === null) return null;
  return (
    <div className="pb-5">
      <Notice tone="warning">{words}</Notice>
    </div>
  );
}
