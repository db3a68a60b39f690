import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { LINK_STYLE } from '#src/features/marketing/ui/mail-link.tsx';
import { cx } from '#src/ui/cx.ts';
import { FieldLines } from '#src/ui/form/field-lines.tsx';
import { ChevronDown } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type PageOpeningProps = {
  title: string;
  lead: ReactNode;
  /** The next actions, below the lead. */
  actions?: ReactNode;
  /** Next to the text on wide screens. */
  beside?: ReactNode;
};

/** The opening of a marketing page: its subject in one line and one paragraph. */
export function PageOpening({ title, lead, actions, beside }: PageOpeningProps) {
  return (
    <header className="relative isolate overflow-clip border-b border-line">
      {beside === undefined && (
        <FieldLines className="absolute inset-0 -z-10 size-full text-line [mask-image:linear-gradient(90deg,transparent_58%,black_90%)] max-md:hidden" />
      )}
      <div
        className={cx(
          'mx-auto grid max-w-content items-center gap-x-12 gap-y-8 px-5 py-10 sm:py-14',
          beside !== undefined && 'lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]',
        )}
      >
        <div className="max-w-2xl">
          <h1 className="text-2xl leading-tight tracking-tight sm:text-3xl sm:leading-[1.06]">{title}</h1>
          <div className="mt-4 text-base text-pretty text-quiet sm:text-lg">{lead}</div>
          {actions && <div className="mt-7 flex flex-wrap gap-3">{actions}</div>}
        </div>
        {beside}
      </div>
    </header>
  );
}

type SectionProps = {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** On wide screens the title is next to the content instead of above it. */
  beside?: boolean;
  className?: string;
};

/** A section of a marketing page at full page width; its name is in its address. */
export function Section({ id, title, lead, children, beside = false, className }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cx('py-12 sm:py-16', className)}>
      <div
        className={cx(
          'mx-auto max-w-content px-5',
          beside && 'gap-x-12 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]',
        )}
      >
        <div>
          <h2 id={id} className="scroll-mt-6 text-xl sm:text-2xl">
            {title}
          </h2>
          {lead && <p className="mt-2 max-w-2xl text-pretty text-quiet">{lead}</p>}
        </div>
        <div className={cx('mt-7', beside && 'lg:mt-0')}>{children}</div>
      </div>
    </section>
  );
}

type ClosingCallProps = {
  title: string;
  children: ReactNode;
  links: readonly (readonly [to: string, label: string])[];
};

/** The end of a marketing page, on the accent color: one sentence and what to do. Touches the footer. */
export function ClosingCall({ title, children, links }: ClosingCallProps) {
  return (
    <section aria-labelledby="closing" className="relative isolate -mb-16 overflow-clip bg-accent text-on-accent">
      <FieldLines className="absolute inset-0 -z-10 size-full opacity-20 [mask-image:radial-gradient(55%_110%_at_50%_50%,transparent_45%,black)]" />
      <div className="mx-auto max-w-content px-5 py-14 text-center sm:py-20">
        <h2 id="closing" className="text-2xl">
          {title}
        </h2>
        <p className="mx-auto mt-3 max-w-xl text-pretty">{children}</p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          {links.map(([to, label]) => (
            <LinkButton key={to} to={to} variant="secondary" size="large">
              {label}
            </LinkButton>
          ))}
        </div>
      </div>
    </section>
  );
}

/** A link in running text. */
export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link {...props} className={LINK_STYLE} />;
}

/** Expandable questions, with or without scripts; the browser's page search finds closed ones, too. */
export function Questions({ children }: { children: ReactNode }) {
  return <div className="border-b border-line">{children}</div>;
}

/** One question; its answer is a paragraph. */
export function Question({ ask, children }: { ask: string; children: ReactNode }) {
  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-13 list-none items-center justify-between gap-4 py-3 font-semibold [&::-webkit-details-marker]:hidden">
        {ask}
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-quiet transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <p className="pr-9 pb-5 text-pretty text-quiet">{children}</p>
    </details>
  );
}
