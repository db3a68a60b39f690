import type { ComponentProps, ReactNode } from 'react';
import { csvAddress } from '#src/shared/csv.ts';
import { Button } from '#src/ui/button.tsx';
import { DraftNotice } from '#src/features/bulk-imports/ui/draft-notice.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { ADD_MORE, DOWNLOAD_DEMO_FILE, type Done } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { DemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { CircleCheck, Download, Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type OtherWaysProps = { to: string; label: string; demo: DemoFile };

/** In the header of all four bulk pages: the other page of the same kind, forms or a file, and an example file. */
export function OtherWays({ to, label, demo }: OtherWaysProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton to={to} variant="secondary" size="small">
        {label}
      </LinkButton>
      <a
        href={csvAddress(demo.text)}
        download={demo.name}
        className={buttonStyle({ variant: 'secondary', size: 'small' })}
      >
        <Download aria-hidden="true" />
        {DOWNLOAD_DEMO_FILE}
      </a>
    </div>
  );
}

type BulkFormsProps = {
  title: string;
  subtitle: string;
  otherWay: OtherWaysProps;
  /** Results stay while the next forms are filled in. */
  done: { label: string; heading: string; items: readonly Done[] };
  notice: { messages: readonly string[]; attempt: number };
  /** Shown if a reload restored input; null otherwise. */
  draft: { without: string; onStartOver: () => void } | null;
  bar: BulkBarProps;
  isUnsaved: () => boolean;
  leaveQuestion: string;
  children: ReactNode;
};

/** Many forms on one page: results, problems, the forms, and the buttons for all of them. */
export function BulkForms(props: BulkFormsProps) {
  const { title, subtitle, otherWay, done, notice, draft, bar, children } = props;
  return (
    <Main className="max-w-360 pb-12">
      <PageHeader title={title} subtitle={subtitle} action={<OtherWays {...otherWay} />} />
      <div className="flex flex-col gap-5">
        <DoneList {...done} />
        {draft && <DraftNotice {...draft} />}
        <ErrorList messages={notice.messages} attempt={notice.attempt} />
        {children}
        <BulkBar {...bar} />
      </div>
      <LeaveGuard isUnsaved={props.isUnsaved} question={props.leaveQuestion} />
    </Main>
  );
}

function DoneList({ label, heading, items }: BulkFormsProps['done']) {
  if (items.length === 0) return null;
  return (
    <section aria-label={label} className="rounded-lg border border-success bg-success-tint p-4">
      <h2 className="flex items-center gap-2 text-base">
        <CircleCheck aria-hidden="true" className="size-5 text-success" />
        {heading} ({items.length})
      </h2>
      <ul className="mt-2 grid gap-x-6 gap-y-1 text-sm lg:grid-cols-2">
        {items.map(({ key, name, detail, address }) => (
          <li key={key} className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2">
            <a href={address} className="min-w-0 truncate font-semibold text-ink underline underline-offset-4">
              {name}
            </a>
            <span className="min-w-0 truncate text-ink">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type BulkBarProps = {
  /** For changing all forms at once. */
  children?: ReactNode;
  isFull: boolean;
  /** Text while busy. */
  busy: string | false;
  label: string;
  onAdd: () => void;
  /** The action of the button: submits a form, or acts on its own. */
  submit: Pick<ComponentProps<typeof Button>, 'type' | 'form' | 'onClick'>;
};

function BulkBar({ children, isFull, busy, label, onAdd, submit }: BulkBarProps) {
  return (
    <div className="sticky-bar sticky bottom-0 z-20 -mx-5 flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line bg-surface px-5 py-3 max-md:bottom-[calc(3.5rem+var(--tray-height,0px))]">
      {children}
      <div className="ml-auto flex flex-wrap gap-3">
        <Button variant="secondary" disabled={busy !== false || isFull} onClick={onAdd}>
          <Plus aria-hidden="true" />
          {ADD_MORE}
        </Button>
        <Button busy={busy} {...submit}>
          {label}
        </Button>
      </div>
    </div>
  );
}
