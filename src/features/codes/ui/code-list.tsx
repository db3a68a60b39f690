import { useState } from 'react';
import type { CodeState, IssuedCode, IssuedCodes } from '#src/features/codes/issued-codes.contract.ts';
import { ChangeCode, CodeUses } from '#src/features/codes/ui/code-dialogs.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { Badge } from '#src/ui/badge.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Pencil, Users, X } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type CodeListProps = {
  start: IssuedCodes;
  /** Issued since the page was opened, newest first. */
  issued: readonly IssuedCode[];
  organizationId: number | null;
  /** The day at an organization; null if it accepts no codes. */
  today: (organizationId: number) => string | null;
};

const STATES: Record<CodeState, { word: string; tone: 'success' | 'neutral' | 'warning' }> = {
  active: { word: 'Active', tone: 'success' },
  used_up: { word: 'Used up', tone: 'neutral' },
  expired: { word: 'Expired', tone: 'neutral' },
  ended: { word: 'Ended', tone: 'neutral' },
  off: { word: 'Switched off', tone: 'warning' },
};

/** For the rows and their headings. */
const COLUMNS = '@4xl:grid @4xl:grid-cols-[7rem_minmax(0,1fr)_7rem_7rem_7rem_8.25rem] @4xl:gap-x-4';

type Open = { what: 'change' | 'uses' | 'end'; code: IssuedCode };

/** Codes line by line; on phones each is a card of the same parts. */
export function CodeList({ start, issued, organizationId, today }: CodeListProps) {
  const { rows: older, more } = useMoreRows(start, 'promo_codes', (place) => {
    const query = { ...place, ...(organizationId === null ? {} : { organization_id: organizationId }) };
    return api('GET /api/v1/promo_codes', { query });
  });
  const [changed, setChanged] = useState<ReadonlyMap<number, IssuedCode>>(new Map());
  const [open, setOpen] = useState<Open | null>(null);
  const known = new Set(older.map(({ id }) => id));
  const codes = [...issued.filter(({ id }) => !known.has(id)), ...older].map((code) => changed.get(code.id) ?? code);

  function settle(code: IssuedCode): void {
    setChanged((now) => new Map(now).set(code.id, code));
    setOpen(null);
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="@container">
        <CodeRows codes={codes} onShow={(what, code) => setOpen({ what, code })} />
      </div>
      <ShowMore {...more} />
      {open?.what === 'change' && (
        <ChangeCode
          code={open.code}
          today={today(open.code.organization.id)}
          onClose={() => setOpen(null)}
          onChanged={settle}
        />
      )}
      {open?.what === 'uses' && <CodeUses code={open.code} onClose={() => setOpen(null)} />}
      {open?.what === 'end' && (
        <ConfirmCall
          title="End this code?"
          confirmLabel="End code"
          busy="Ending..."
          call={() => api('POST /api/v1/promo_codes/{id}/end', { params: { id: open.code.id } })}
          onDone={settle}
          onCancel={() => setOpen(null)}
        >
          {`${open.code.code} can no longer be used. Accounts that were created with it stay.`}
        </ConfirmCall>
      )}
    </div>
  );
}

type CodeRowsProps = { codes: readonly IssuedCode[]; onShow: (what: Open['what'], code: IssuedCode) => void };

function CodeRows({ codes, onShow }: CodeRowsProps) {
  return (
    <div className="@4xl:rounded-lg @4xl:border @4xl:border-line @4xl:bg-surface">
      <div aria-hidden="true" className={cx(COLUMNS, 'px-4 py-3 text-sm font-semibold text-quiet @max-4xl:hidden')}>
        <span>Code</span>
        <span>Organization</span>
        <span className="text-right">Used</span>
        <span className="text-right">Last day</span>
        <span>State</span>
      </div>
      <ul aria-label="Promo codes" className="@max-4xl:flex @max-4xl:flex-col @max-4xl:gap-3">
        {codes.map((code) => (
          <CodeRow key={code.id} code={code} onShow={(what) => onShow(what, code)} />
        ))}
      </ul>
    </div>
  );
}

function CodeRow({ code, onShow }: { code: IssuedCode; onShow: (what: Open['what']) => void }) {
  const { word, tone } = STATES[code.state];
  const isOver = code.state === 'ended';
  return (
    <li
      className={cx(
        COLUMNS,
        'border-line text-sm @4xl:items-center @4xl:border-t @4xl:px-4 @4xl:py-1',
        '@max-4xl:grid @max-4xl:grid-cols-[1fr_auto] @max-4xl:gap-x-4 @max-4xl:gap-y-1 @max-4xl:rounded-lg @max-4xl:border @max-4xl:bg-surface @max-4xl:p-4',
      )}
    >
      <strong className="font-semibold tracking-wide">{code.code}</strong>
      <span className="min-w-0 break-words @max-4xl:col-span-2 @max-4xl:row-start-2 @max-4xl:text-quiet">
        {code.organization.name}
      </span>
      <span className="tabular-nums @max-4xl:row-start-3 @4xl:text-right">
        <span className="text-quiet @4xl:sr-only">Used </span>
        {`${formatCount(code.uses)} of ${formatCount(code.max_uses)}`}
      </span>
      <span className="whitespace-nowrap tabular-nums @max-4xl:row-start-3 @4xl:text-right">
        {code.last_day === null ? (
          <span className="text-quiet">No end</span>
        ) : (
          <>
            <span className="text-quiet @4xl:sr-only">until </span>
            <time dateTime={code.last_day}>{shownDay(code.last_day)}</time>
          </>
        )}
      </span>
      <span className="@max-4xl:col-start-2 @max-4xl:row-start-1">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="flex @max-4xl:col-span-2 @max-4xl:-ml-3 @4xl:justify-end">
        <IconButton label={`Who used ${code.code}`} onClick={() => onShow('uses')}>
          <Users aria-hidden="true" />
        </IconButton>
        <IconButton label={`Change ${code.code}`} disabled={isOver} onClick={() => onShow('change')}>
          <Pencil aria-hidden="true" />
        </IconButton>
        <IconButton label={`End ${code.code}`} disabled={isOver} onClick={() => onShow('end')}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  );
}
