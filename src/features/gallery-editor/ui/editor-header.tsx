import { Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ArrowLeft, ExternalLink } from '#src/ui/icon.tsx';

type EditorHeaderProps = {
  title: string;
  subtitle: string;
  dashboard: string;
  publicView: string;
};

/** The head of the gallery editor in one line, so that a phone shows photos below it. */
export function EditorHeader({ title, subtitle, dashboard, publicView }: EditorHeaderProps) {
  const link = 'shrink-0 max-sm:size-11 max-sm:p-0';
  return (
    <header className="flex items-center gap-3 pt-2 pb-3 sm:gap-4 sm:pt-6 sm:pb-5">
      <Link to={dashboard} className={buttonStyle({ variant: 'quiet', size: 'small', className: `${link} -ml-3` })}>
        <ArrowLeft aria-hidden="true" />
        <span className="max-sm:sr-only">Dashboard</span>
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="text-lg break-words max-sm:line-clamp-2 sm:text-2xl">{title}</h1>
        <p className="text-sm text-quiet">{subtitle}</p>
      </div>
      <Link
        to={publicView}
        target="_blank"
        className={buttonStyle({ variant: 'secondary', size: 'small', className: link })}
      >
        <ExternalLink aria-hidden="true" />
        <span className="max-sm:sr-only">Public view</span>
      </Link>
    </header>
  );
}
