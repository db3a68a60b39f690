import { sampleFile } from '#src/features/roster/sample-file.rules.ts';
import { csvAddress } from '#src/shared/csv.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Download, Upload, Users } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

/** An empty roster. */
export function FirstRoster({ importPage, onByHand }: { importPage: string; onByHand: () => void }) {
  return (
    <EmptyState
      icon={<Users />}
      title="Add your roster once, and parents find their own child."
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <LinkButton to={importPage}>
            <Upload aria-hidden="true" />
            Import a file
          </LinkButton>
          <Button variant="secondary" onClick={onByHand}>
            Add by hand
          </Button>
          <SampleLink />
        </div>
      }
    >
      Only the people of your organization see these names.
    </EmptyState>
  );
}

/** A sample file with every column. */
export function SampleLink() {
  const { name, text } = sampleFile();
  return (
    <a href={csvAddress(text)} download={name} className={buttonStyle({ variant: 'secondary' })}>
      <Download aria-hidden="true" />
      Download a sample
    </a>
  );
}
