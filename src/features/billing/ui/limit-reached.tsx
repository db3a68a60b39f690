import type { ReactNode } from 'react';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';

/** A limit of the free tier, in the specification's words, with a link to upgrade. */
export function LimitReached({ upgradeTo, children }: { upgradeTo: string; children: ReactNode }) {
  return (
    <Notice tone="warning">
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3 sm:-my-1.5">
        <div role="status" className="min-w-0">
          {children}
        </div>
        <LinkButton to={upgradeTo} size="small">
          Upgrade
        </LinkButton>
      </div>
    </Notice>
  );
}
