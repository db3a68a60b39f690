import type { ExportAnswer } from '#src/features/exports/exports.contract.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { sizeWords } from '#src/features/exports/exports.rules.ts';
import { counted, formatCount } from '#src/shared/counted.ts';

const STATES = {
  waiting: { tone: 'neutral', label: 'Waiting' },
  making: { tone: 'accent', label: 'Being created' },
  ready: { tone: 'success', label: 'Ready' },
  failed: { tone: 'danger', label: 'Failed' },
  expired: { tone: 'neutral', label: 'Expired' },
} as const;

/** Exports, newest first, each with its archives. */
export function ExportList({ copies, timeZone }: { copies: readonly ExportAnswer[]; timeZone: string }) {
  return (
    <ul className="flex flex-col gap-4">
      {copies.map((copy) => (
        <li key={copy.id}>
          <ExportCard copy={copy} timeZone={timeZone} />
        </li>
      ))}
    </ul>
  );
}

function ExportCard({ copy, timeZone }: { copy: ExportAnswer; timeZone: string }) {
  const { tone, label } = STATES[copy.state];
  return (
    <Card className="flex flex-col gap-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-base font-semibold">
          Copy of <DateText at={new Date(copy.created_at)} timeZone={timeZone} />
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {copy.state === 'failed' && (
        <p className="text-sm">Something went wrong on our side. Please make another copy.</p>
      )}
      {copy.state === 'ready' && copy.expires_at !== null && (
        <p className="text-sm text-quiet">
          {counted(copy.photos, 'photo', 'photos')}, {sizeWords(copy.bytes)} in all, until{' '}
          <DateText at={new Date(copy.expires_at)} timeZone={timeZone} />. An interrupted download continues where it
          stopped. Unpack all archives into one folder.
        </p>
      )}
      {copy.unreadable_photos > 0 && (
        <p className="text-sm">
          {copy.unreadable_photos === 1
            ? '1 photo could not be read and is not in this copy.'
            : `${formatCount(copy.unreadable_photos)} photos could not be read and are not in this copy.`}{' '}
          If a download was interrupted, start it again.
        </p>
      )}
      {copy.parts.length > 0 && (
        <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
          {copy.parts.map(({ part, name, url, files, bytes }) => (
            <li key={part} className="min-w-0">
              <a
                href={url}
                download={name}
                className="inline-flex min-h-11 max-w-full flex-col justify-center underline decoration-line-strong underline-offset-4 hover:decoration-ink"
              >
                <span className="break-words">{name}</span>
              </a>
              <p className="-mt-1.5 pb-2 text-xs text-quiet">
                {formatCount(files)} files, {sizeWords(bytes)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
