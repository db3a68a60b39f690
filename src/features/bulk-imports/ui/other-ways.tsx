import { DOWNLOAD_DEMO_FILE } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { demoFileAddress, type DemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Download } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type OtherWaysProps = { to: string; label: string; demo: DemoFile };

/** In the header of all four bulk pages: the other page of the same kind, forms or a file, and a file to write over. */
export function OtherWays({ to, label, demo }: OtherWaysProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <LinkButton to={to} variant="secondary" size="small">
        {label}
      </LinkButton>
      <a
        href={demoFileAddress(demo)}
        download={demo.name}
        className={buttonStyle({ variant: 'secondary', size: 'small' })}
      >
        <Download aria-hidden="true" />
        {DOWNLOAD_DEMO_FILE}
      </a>
    </div>
  );
}
