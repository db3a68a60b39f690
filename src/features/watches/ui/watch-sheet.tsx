import type { ReactNode } from 'react';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';

type WatchSheetProps = { title: string; intro?: string; message?: string; children?: ReactNode };

/** A narrow page that says what happened and what can be done. */
export function WatchSheet({ title, intro, message, children }: WatchSheetProps) {
  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">{title}</h1>
          {intro !== undefined && <p className="mt-1 text-pretty text-quiet">{intro}</p>}
          <div className="mt-6 flex flex-col gap-4 empty:hidden">
            {message !== undefined && (
              <div role="status">
                <Notice tone="success">{message}</Notice>
              </div>
            )}
            {children}
          </div>
        </Card>
      </div>
    </Main>
  );
}
