/** Observers of the infrastructure of a process: each part with its metrics and its spans. */
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { OpenPictureLab } from '#src/platform/images/picture-lab.ts';
import type { MailTransport } from '#src/platform/mail/mail.ts';
import type { Metrics } from '#src/platform/metrics.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import type { Storage } from '#src/platform/storage/storage.ts';
import { watchCalls, type CallObservation } from '#src/platform/telemetry/calls.ts';
import { watchSlowStatements, type StatementObservation } from '#src/platform/telemetry/statements.ts';
import type { BeginSpan } from '#src/platform/telemetry/work.ts';

type WatcherOptions = {
  config: Pick<Config, 'slowStatementMs'>;
  log: Logger;
  metrics?: Metrics | null;
  begin?: BeginSpan | null;
};
type ObserveCall = (call: CallObservation) => void;

export function createWatchers({ config, log, metrics = null, begin = null }: WatcherOptions) {
  const watchSlow = watchSlowStatements(config.slowStatementMs, log, (work) => metrics?.countSlowStatement(work));
  const call: ObserveCall = (observation) => metrics?.observeCall(observation);
  return {
    call,
    /** Of jobs and emails. */
    jobs: { begin, ...(metrics ? { observe: metrics.observeJob, countWork: metrics.countWork } : {}) },
    statement(statement: StatementObservation): void {
      metrics?.observeStatement(statement.ms);
      watchSlow(statement);
    },
    pools({ load, loadForCheckout }: Pick<Database, 'load' | 'loadForCheckout'>): void {
      metrics?.watchPool('main', load);
      if (loadForCheckout) metrics?.watchPool('checkout', loadForCheckout);
    },
    store: <Store extends Storage>(service: Store): Store => watchStore(service, call) as Store,
    mail: (service: MailTransport): MailTransport =>
      watchCalls({ system: 'mail', service, calls: ['deliver'], observe: call }),
    cards: (service: PaymentProvider): PaymentProvider =>
      watchCalls({
        system: 'cards',
        service,
        calls: ['charge', 'findCharge', 'refund', 'findRefund', 'chargeStatus', 'cardOf'],
        observe: call,
      }),
  };
}

function watchStore(service: Storage, observe: ObserveCall): Storage {
  const calls = ['put', 'head', 'get', 'stream', 'copy', 'remove', 'spend'] as const;
  return watchCalls({ system: 'store', service, calls, observe });
}

/** The picture processes of the worker. */
export function watchPictures(service: OpenPictureLab, observe: ObserveCall): OpenPictureLab {
  const calls = ['develop', 'remark', 'preview', 'rewrite'] as const;
  return watchCalls({ system: 'pictures', service, calls, observe });
}
