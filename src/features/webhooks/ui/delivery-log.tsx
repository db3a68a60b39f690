import { useState, type ReactNode } from 'react';
import { durationWords, eventWords, outcomeOf, statusWords } from '#src/features/webhooks/webhook-words.rules.ts';
import type { Deliveries, Delivery } from '#src/features/webhooks/webhooks.contract.ts';
import { useDeliveries } from '#src/features/webhooks/ui/use-deliveries.ts';
import { formatCount } from '#src/shared/counted.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { ChevronDown, RotateCw } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, type ApiResult } from '#src/web/api-client.ts';

type DeliveryLogProps = {
  endpointId: number;
  /** Show only failed deliveries. */
  onlyFailed: boolean;
  first: Deliveries;
  isOn: boolean;
  timeZone: string;
  /** The webhook's owner; events of other organizations show their name. */
  ownerId: number;
};

/** Deliveries, newest first, with buttons to send a test event and to send failed ones again. */
export function DeliveryLog({ endpointId: id, onlyFailed, first, isOn, timeZone, ownerId }: DeliveryLogProps) {
  const { rows, more, merge, watch } = useDeliveries(first, id, onlyFailed);
  const { busy, test, replay, replayFailed } = useSending(id, { merge, watch });

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap gap-3">
        {onlyFailed ? (
          <Button
            variant="secondary"
            disabled={!isOn || rows.length === 0}
            busy={busy === 'replay_failed' && 'Sending...'}
            onClick={() => void replayFailed()}
          >
            <RotateCw aria-hidden="true" />
            Send all again
          </Button>
        ) : (
          <Button
            variant="secondary"
            disabled={!isOn}
            busy={busy === 'test' && 'Sending...'}
            onClick={() => void test()}
          >
            Send a test event
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="py-4 text-sm text-quiet">{onlyFailed ? 'Nothing has failed.' : 'Nothing has been sent yet.'}</p>
      ) : (
        <ol aria-label="Deliveries" className="@container rounded-lg border border-line bg-surface">
          {rows.map((row) => (
            <li key={row.id} className="border-line not-first:border-t">
              <DeliveryLine delivery={row} timeZone={timeZone} ownerId={ownerId}>
                <Button
                  variant="secondary"
                  size="small"
                  disabled={!isOn || row.state === 'waiting'}
                  busy={busy === `replay ${row.id}` && 'Sending...'}
                  onClick={() => void replay(row.id)}
                >
                  <RotateCw aria-hidden="true" />
                  Send again
                </Button>
              </DeliveryLine>
            </li>
          ))}
        </ol>
      )}
      <ShowMore {...more} />
    </div>
  );
}

/** The calls that send something; one runs at a time, and `busy` names it. */
function useSending(id: number, { merge, watch }: Pick<ReturnType<typeof useDeliveries>, 'merge' | 'watch'>) {
  const [busy, setBusy] = useState<string | null>(null);
  const params = { id };

  async function send<Answer>(
    what: string,
    call: () => Promise<ApiResult<Answer>>,
    done: (answer: Answer) => string,
  ): Promise<void> {
    setBusy(what);
    const answer = await call();
    setBusy(null);
    if (!answer.ok) return void showToast(answer.error, 'error');
    showToast(done(answer.data), 'success');
    watch();
  }
  const merged = (words: string) => (row: Delivery) => {
    merge([row]);
    return words;
  };
  return {
    busy,
    test: () =>
      send(
        'test',
        () => api('POST /api/v1/webhook_endpoints/{id}/test', { params }),
        merged('The test event is on its way.'),
      ),
    replay: (deliveryId: number) =>
      send(
        `replay ${deliveryId}`,
        () => api('POST /api/v1/webhook_endpoints/{id}/deliveries/{deliveryId}/replay', { params: { id, deliveryId } }),
        merged('It will be sent again.'),
      ),
    replayFailed: () =>
      send(
        'replay_failed',
        () => api('POST /api/v1/webhook_endpoints/{id}/replay_failed', { params }),
        ({ replayed }) =>
          replayed === 1 ? 'One event will be sent again.' : `${formatCount(replayed)} events will be sent again.`,
      ),
  };
}

type DeliveryLineProps = { delivery: Delivery; timeZone: string; ownerId: number; children: ReactNode };

function DeliveryLine({ delivery, timeZone, ownerId, children }: DeliveryLineProps) {
  const { word, tone } = outcomeOf(delivery);
  return (
    <details className="group text-sm">
      <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-sunken @2xl:grid-cols-[12.5rem_minmax(0,1fr)_11rem_7rem_auto] [&::-webkit-details-marker]:hidden">
        <time
          dateTime={delivery.occurred_at}
          className="text-quiet tabular-nums @max-2xl:col-start-1 @max-2xl:row-start-1 @max-2xl:text-xs"
        >
          {publicMoment(new Date(delivery.occurred_at), timeZone)}
        </time>
        <span className="flex min-w-0 flex-col break-words @max-2xl:col-start-1">
          <span className="font-semibold">{eventWords(delivery.type)}</span>
          {delivery.organization_id !== ownerId && <span className="text-quiet">{delivery.organization_name}</span>}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 @max-2xl:col-start-1 @2xl:contents">
          <span role="status">
            <Badge tone={tone}>{word}</Badge>
          </span>
          <span className="text-quiet tabular-nums">{statusWords(delivery)}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 text-quiet transition-transform group-open:rotate-180 @max-2xl:col-start-2 @max-2xl:row-span-3 @max-2xl:row-start-1"
        />
      </summary>
      <div className="flex flex-col items-start gap-3 border-t border-line bg-sunken px-4 py-3">
        <Facts delivery={delivery} timeZone={timeZone} />
        {children}
      </div>
    </details>
  );
}

function Facts({ delivery, timeZone }: { delivery: Delivery; timeZone: string }) {
  const moment = (text: string) => publicMoment(new Date(text), timeZone);
  const { type, event_id, attempts, attempted_at, duration_ms, answer, next_attempt_at, state } = delivery;
  const isRepeated = state === 'waiting' && attempts > 0;
  const lines: [string, ReactNode][] = [
    ['Event', <code key="type">{type}</code>],
    ['ID', <code key="id">{event_id}</code>],
    ['Attempts', formatCount(attempts)],
    ['Last attempt', attempted_at && moment(attempted_at)],
    ['Took', duration_ms === null ? null : durationWords(duration_ms)],
    ['Next attempt', isRepeated && next_attempt_at && moment(next_attempt_at)],
    ['Answer', answer],
  ];
  const known = lines.filter(([, value]) => Boolean(value));
  return (
    <dl className="grid max-w-full gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet max-sm:mt-1">{name}</dt>
          <dd className="min-w-0 break-words whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
