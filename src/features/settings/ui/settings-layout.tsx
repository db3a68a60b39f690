import { useId, type FormEvent, type ReactNode } from 'react';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { SETTINGS_LEAVE_QUESTION } from '#src/features/tenancy/settings-words.contract.ts';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';

type SettingsSectionProps = {
  /** The id for links to this section. */
  id: string;
  title: string;
  hint: ReactNode;
  children: ReactNode;
};

/** A section of the settings: its description at the left on wide screens, its fields on a sheet. */
export function SettingsSection({ id, title, hint, children }: SettingsSectionProps) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className="grid scroll-mt-6 gap-x-10 gap-y-3 border-t border-line py-7 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div className="lg:pt-1">
        <h2 id={heading} className="text-lg">
          {title}
        </h2>
        <p className="mt-1 max-w-prose text-sm text-pretty text-quiet">{hint}</p>
      </div>
      <Card className="flex min-w-0 flex-col gap-5 p-4 sm:p-6">{children}</Card>
    </section>
  );
}

/** Two fields side by side if there is space. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>;
}

/** In the order of the page, without the links to other pages at its end; each id is that of its `SettingsSection`. */
const SECTIONS = [
  ['profile', 'Profile'],
  ['contact', 'Contact'],
  ['billing', 'Billing'],
  ['password', 'Password'],
  ['branding', 'Branding'],
  ['watermark', 'Watermark'],
  ['sponsors', 'Sponsor ads'],
  ['price', 'Photo price'],
  ['payments', 'Payments'],
  ['taxes', 'Taxes'],
  ['time-zone', 'Time zone'],
  ['plan', 'Plan'],
  ['people', 'People'],
  ['tax-table', 'Sales tax'],
] as const;
type SectionId = (typeof SECTIONS)[number][0];

/** Links to the sections. `shows` says which optional sections are shown. */
export function SectionLinks({ shows }: { shows: Partial<Record<SectionId, boolean>> }) {
  return <PageSections sections={SECTIONS.filter(([id]) => shows[id] !== false)} />;
}

/** Links to the sections of a long page: the id of each with its name. */
export function PageSections({ sections }: { sections: readonly (readonly [id: string, name: string])[] }) {
  return (
    <nav aria-label="On this page" className="-mx-3 pb-5 max-sm:overflow-x-auto">
      <ul className="flex sm:flex-wrap">
        {sections.map(([id, name]) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              className="inline-flex min-h-11 items-center px-3 text-sm font-semibold text-quiet no-underline hover:text-ink hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SettingsFormFrameProps = {
  form: SettingsForm;
  name: string;
  /** The result of `useSettingsSubmit`. */
  saving: { submit: (event: FormEvent) => Promise<void>; isUnsaved: () => boolean };
  children: ReactNode;
};

/** The form around the sections: problems, the password that a save may need, and the question before leaving. */
export function SettingsFormFrame({ form, name, saving, children }: SettingsFormFrameProps) {
  return (
    <>
      <form method="dialog" noValidate aria-label={name} onSubmit={(event) => void saving.submit(event)}>
        <div className="pb-5 empty:hidden">
          <ErrorList messages={Object.values(form.errors).flat()} attempt={form.attempt} />
        </div>
        {children}
      </form>
      <ConfirmPassword open={form.asksForPassword} onDone={form.goOn} />
      <LeaveGuard isUnsaved={saving.isUnsaved} question={SETTINGS_LEAVE_QUESTION} />
    </>
  );
}
