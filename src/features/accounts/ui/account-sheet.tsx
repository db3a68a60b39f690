/** The sheet on which people log in and mind their password: one narrow column in the middle of the page. */
import type { ReactNode } from 'react';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';

type AccountSheetProps = {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Ways to the sheets beside this one. */
  footer?: ReactNode;
};

export function AccountSheet({ title, intro, children, footer }: AccountSheetProps) {
  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">{title}</h1>
          {intro && <p className="mt-1 text-sm text-pretty text-quiet">{intro}</p>}
          <div className="mt-6">{children}</div>
        </Card>
        {footer && <div className="mt-5 flex flex-wrap justify-center gap-x-6 text-sm text-quiet">{footer}</div>}
      </div>
    </Main>
  );
}
