import type { ReactNode } from 'react';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';

type NarrowPageProps = {
  title: string;
  intro?: ReactNode;
  children?: ReactNode;
  /** Links to related pages. */
  footer?: ReactNode;
};

/** A page with one short task: one narrow column in the middle. */
export function NarrowPage({ title, intro, children, footer }: NarrowPageProps) {
  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">{title}</h1>
          {intro && <p className="mt-1 text-sm text-pretty text-quiet">{intro}</p>}
          <div className="mt-6 empty:hidden">{children}</div>
        </Card>
        {footer && <div className="mt-5 flex flex-wrap justify-center gap-x-6 text-sm text-quiet">{footer}</div>}
      </div>
    </Main>
  );
}
