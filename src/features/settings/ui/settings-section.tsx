import { useId, type ReactNode } from 'react';
import { Card } from '#src/ui/card.tsx';

type SettingsSectionProps = {
  /** Where the list of sections leads. */
  id: string;
  title: string;
  hint?: ReactNode;
  children: ReactNode;
};

/** A part of the settings: what it is about at the left on wide screens, its fields on a sheet. */
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
        {hint && <p className="mt-1 max-w-prose text-sm text-pretty text-quiet">{hint}</p>}
      </div>
      <Card className="flex min-w-0 flex-col gap-5 p-4 sm:p-6">{children}</Card>
    </section>
  );
}

/** Two fields side by side where there is space. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>;
}
