import { demoFileAddress, type DemoFile } from '#src/features/bulk-imports/demo-files.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Download } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

/** In the header of both CSV pages: the forms for a few, and a file to write over. @param forms their address */
export function OtherWays({ forms, demo }: { forms: string; demo: DemoFile }) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton to={forms} variant="secondary" size="small">
        Use forms instead
      </LinkButton>
      <a
        href={demoFileAddress(demo)}
        download={demo.name}
        className={buttonStyle({ variant: 'secondary', size: 'small' })}
      >
        <Download aria-hidden="true" />
        Download Demo File
      </a>
    </div>
  );
}
