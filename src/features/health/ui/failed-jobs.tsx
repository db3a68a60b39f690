import { useNavigate } from 'react-router';
import type { FailedJob } from '#src/features/health/health.contract.ts';
import { FAILED_JOBS, jobWords } from '#src/features/health/health.rules.ts';
import type { FailedJobs } from '#src/features/health/health.service.ts';
import { FailedList, FailedRow } from '#src/features/health/ui/failed-list.tsx';
import type { RetryOrDiscard } from '#src/features/health/ui/retry-or-discard.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { Select } from '#src/ui/form/select.tsx';

type FailedJobListProps = {
  failed: FailedJobs;
  /** Only of this queue. */
  job: string | null;
  after: string | null;
  onDone: () => void;
};

/** Failed jobs: why, and buttons to retry or discard them. */
export function FailedJobList({ failed, job, after, onDone }: FailedJobListProps) {
  const { jobs, queues, counts } = failed;
  const chosen = job === null ? counts.jobs : (queues.find(({ name }) => name === job)?.failed ?? 0);
  const action = (what: RetryOrDiscard['what'], one?: FailedJob): RetryOrDiscard => ({
    what,
    things: 'failed_jobs',
    name: one ? `“${jobWords(one.job)}”` : chosen === 1 ? 'this job' : `all ${formatCount(chosen)} jobs`,
    body: one ? { ids: [one.id] } : job === null ? { all: true } : { job },
  });
  return (
    <FailedList
      things="jobs"
      intro="A job is retried automatically, with growing pauses. What still fails is listed here for seven days."
      filter={<QueueFilter queues={queues} job={job} />}
      hasSome={counts.jobs > 0}
      hasChosen={chosen > 0}
      actionOnAll={(what) => action(what)}
      rows={(onAsk) => jobs.map((one) => <Row key={one.id} job={one} onAsk={(what) => onAsk(action(what, one))} />)}
      whenNone="Every job of the last seven days succeeded."
      paging={{ kept: `view=jobs&${job === null ? '' : `job=${encodeURIComponent(job)}&`}`, after, next: failed.next }}
      onDone={onDone}
    />
  );
}

function QueueFilter({ queues, job }: { queues: FailedJobs['queues']; job: string | null }) {
  const navigate = useNavigate();
  const isListed = job === null || queues.some(({ name }) => name === job);
  return (
    <div className="w-full max-w-90">
      <Select
        label="Queue"
        value={job ?? ''}
        onChange={(event) => {
          const name = event.target.value;
          void navigate(name === '' ? FAILED_JOBS : `${FAILED_JOBS}&job=${encodeURIComponent(name)}`, {
            preventScrollReset: true,
          });
        }}
      >
        <option value="">All queues</option>
        {!isListed && <option value={job}>{jobWords(job)}</option>}
        {queues.map(({ name, failed }) => (
          <option key={name} value={name}>
            {`${jobWords(name)} (${formatCount(failed)})`}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Row({ job, onAsk }: { job: FailedJob; onAsk: (what: RetryOrDiscard['what']) => void }) {
  const words = jobWords(job.job);
  return (
    <FailedRow name={words} isRetried={job.when_given_up === null} onAsk={onAsk}>
      <h2 className="text-sm font-semibold break-words">
        {words}
        {job.subject !== null && <span className="font-normal text-quiet"> · {job.subject}</span>}
      </h2>
      <p className="break-words">{job.reason}</p>
      {job.when_given_up !== null && <p className="break-words text-quiet">{job.when_given_up}</p>}
      <p className="text-xs break-words text-quiet tabular-nums">
        {publicMoment(new Date(job.failed_at))}, after {counted(job.attempts, 'attempt', 'attempts')}. In the log:{' '}
        {job.job_id}
      </p>
    </FailedRow>
  );
}
