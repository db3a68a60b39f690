import { useState } from 'react';
import type { CodeState, IssuedCode, IssuedCodes } from '#src/features/codes/issued-codes.contract.ts';
import { ChangeCode, CodeUses } from '#src/features/codes/ui/code-dialogs.tsx';
import { shownDay } from '#src/shared/day-range.ts';
import { Badge } from '#src/ui/badge.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { cx } from '#src/ui/cx.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Pencil, Users, X } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type CodeListProps = {
  start: IssuedCodes;
  /** Issued since the page was opened, newest first. */
  issued: readonly IssuedCode[];
  organizationId: number | null;
  /** The day at an organization; null where it takes no codes. */
  today: (organizationId: number) => string | null;
};

const STATES: Record<CodeState, { word: string; tone: 'success' | 'neutral' | 'warning' }> = {
  active: { word: 'Active', tone: 'success' },
  used_up: { word: 'Used up', tone: 'neutral' },
  expired: { word: 'Expired', tone: 'neutral' },
  ended: { word: 'Ended', tone: 'neutral' },
  off: { word: 'Switched off', tone: 'warning' },
};

/** Of the lines and of what is above them. */
const COLUMNS = 'lg:grid lg:grid-cols-[7rem_minmax(0,1fr)_7rem_7rem_7rem_8.25rem] lg:gap-x-4';

type Open = { what: 'change' | 'uses' | 'end'; code: IssuedCode };

/** Codes line by line; on phones each is a card of the same parts. */
export function CodeList({ start, issued, organizationId, today }: CodeListProps) {
  const query = organizationId === null ? '' : `?organization_id=${organizationId}`;
  const { rows: older, more } = useMoreRows(start, 'promo_codes', `/api/v1/promo_codes${query}`);
  const [changed, setChanged] = useState<ReadonlyMap<number, IssuedCode>>(new Map());
  const [open, setOpen] = useState<Open | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const known = new Set(older.map(({ id }) => id));
  const codes = [...issued.filter(({ id }) => !known.has(id)), ...older].map((code) => changed.get(code.id) ?? code);

  function settle(code: IssuedCode): void {
    setChanged((now) => new Map(now).set(code.id, code));
    setOpen(null);
  }

  async function end({ id }: IssuedCode): Promise<void> {
    setBusy(true);
    const answer = await api('POST /api/v1/promo_codes/{id}/end', { params: { id } });
    setBusy(false);
    setProblem(answer.ok ? null : messagesOf(answer).join(' '));
    if (answer.ok) settle(answer.data);
  }

  function show(what: Open['what'], code: IssuedCode): void {
    setProblem(null);
    setOpen({ what, code });
  }

  return (
    <div className="flex flex-col gap-4">
      <CodeRows codes={codes} onShow={show} />
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
      <ConfirmDialog
        open={open?.what === 'end'}
        title="End this code?"
        confirmLabel="End code"
        busy={busy ? 'Ending...' : false}
        problem={problem}
        onConfirm={() => open && void end(open.code)}
        onCancel={() => setOpen(null)}
      >
        {open && `${open.code.code} can no longer be used. Accounts that were made with it stay.`}
      </ConfirmDialog>
    </div>
  );
}

type CodeRowsProps = { codes: readonly IssuedCode[]; onShow: (what: Open['what'], code: IssuedCode) => void };

function CodeRows({ codes, onShow }: CodeRowsProps) {
  return (
    <div className="lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      <div aria-hidden="true" className={cx(COLUMNS, 'px-4 py-3 text-sm font-semibold text-quiet max-lg:hidden')}>
        <span>Code</span>
        <span>Organization</span>
        <span className="text-right">Used</span>
        <span className="text-right">Last day</span>
        <span>State</span>
      </div>
      <ul aria-label="Promo codes" className="max-lg:flex max-lg:flex-col max-lg:gap-3">
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
        'border-line text-sm lg:items-center lg:border-t lg:px-4 lg:py-1',
        'max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:gap-x-4 max-lg:gap-y-1 max-lg:rounded-lg max-lg:border max-lg:bg-surface max-lg:p-4',
      )}
    >
      <strong className="font-semibold tracking-wide">{code.code}</strong>
      <span className="min-w-0 break-words max-lg:col-span-2 max-lg:row-start-2 max-lg:text-quiet">
        {code.organization.name}
      </span>
      <span className="tabular-nums max-lg:row-start-3 lg:text-right">
        <span className="text-quiet lg:sr-only">Used </span>
        {`${code.uses.toLocaleString('en-US')} of ${code.max_uses.toLocaleString('en-US')}`}
      </span>
      <span className="whitespace-nowrap tabular-nums max-lg:row-start-3 lg:text-right">
        {code.last_day === null ? (
          <span className="text-quiet">No end</span>
        ) : (
          <>
            <span className="text-quiet lg:sr-only">until </span>
            <time dateTime={code.last_day}>{shownDay(code.last_day)}</time>
          </>
        )}
      </span>
      <span className="max-lg:col-start-2 max-lg:row-start-1">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="flex max-lg:col-span-2 max-lg:-ml-3 lg:justify-end">
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
