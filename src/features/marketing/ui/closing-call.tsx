import type { ReactNode } from 'react';
import { FieldLines } from '#src/ui/field-lines.tsx';

/** The last thing on a marketing page, on the accent: one sentence and what to do. Touches the footer. */
export function ClosingCall({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <section aria-labelledby="closing" className="relative isolate -mb-16 overflow-clip bg-accent text-on-accent">
      <FieldLines className="absolute inset-0 -z-10 size-full opacity-20 [mask-image:radial-gradient(55%_110%_at_50%_50%,transparent_45%,black)]" />
      <div className="mx-auto max-w-content px-5 py-14 text-center sm:py-20">
        <h2 id="closing" className="text-2xl">
          {title}
        </h2>
        <p className="mx-auto mt-3 max-w-xl text-pretty">{children}</p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">{actions}</div>
      </div>
    </section>
  );
}
