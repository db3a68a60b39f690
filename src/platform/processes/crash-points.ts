/**
 * Places where a test may kill the process, as a power failure would (fault model 3.1). With
 * `CRASH_AT=checkout.after_charge` the process kills itself at that line with SIGKILL.
 */
export const CRASH_POINTS = [
  'upload.quarter_written',
  'upload.before_rename',
  'upload.after_rename',
  'upload.before_201',
  'claim.before_commit',
  'claim.after_commit',
  'ingest.after_original',
  'ingest.mid_renditions',
  'ingest.before_ready',
  'ingest.after_ready',
  'turn.after_store',
  'turn.before_commit',
  'remark.after_store',
  'remark.before_commit',
  'repair.after_store',
  'repair.before_commit',
  'purge.condemned',
  'purge.after_remove',
  'checkout.after_pending',
  'checkout.before_charge',
  'checkout.after_charge',
  'checkout.before_settle_commit',
  'checkout.after_settle',
  'billing.before_charge',
  'billing.after_charge',
  'billing.after_settle',
  'billing.after_refund',
  'refund.after_store',
  'refund.before_provider',
  'refund.after_provider',
  'refund.before_commit',
  'payout.before_commit',
  'payout.after_send',
  'bulk.first_row',
  'bulk.row_500',
  'bulk.last_row',
  'bulk.after_row',
  'roster.piece',
  'roster.after_piece',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Kills this process here if the environment names this point; otherwise does nothing. */
export function crashAt(point: CrashPoint): void {
  if (process.env.CRASH_AT === point) process.kill(process.pid, 'SIGKILL');
}
