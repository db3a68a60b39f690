import type { ReactNode } from 'react';
import { NarrowPage } from '#src/ui/narrow-page.tsx';
import { Notice } from '#src/ui/notice.tsx';

type WatchSheetProps = { title: string; intro?: string; said?: string; children?: ReactNode };

/** A narrow page that says what happened and what can be done. */
export function WatchSheet({ title, intro, said, children }: WatchSheetProps) {
  return (
    <NarrowPage title={title} intro={intro}>
      <div className="flex flex-col gap-4">
        {said !== undefined && (
          <div role="status">
            <Notice tone="success">{said}</Notice>
          </div>
        )}
        {children}
      </div>
    </NarrowPage>
  );
}
