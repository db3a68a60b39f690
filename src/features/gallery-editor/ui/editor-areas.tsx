import { useEffect, useId, useRef, type ReactNode } from 'react';
import {
  AREA_NAMES,
  CLOSE_AREA,
  FULL_AREA_NAMES,
  type GalleryArea,
  afterToggle,
  areaOf,
  searchWithArea,
} from '#src/features/galleries/gallery-areas.rules.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { ChartColumn, Settings, Share, Tag, Upload, Users, X, ArrowLeft, ExternalLink } from '#src/ui/icon.tsx';
import { useLocation, useNavigate, useSearchParams, Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';

const ICONS: Record<GalleryArea, typeof Upload> = {
  upload: Upload,
  settings: Settings,
  collaborators: Users,
  share: Share,
  reports: ChartColumn,
};

export type Area = {
  name: GalleryArea;
  panel: ReactNode;
  /** Above the photos, in full width, instead of beside them; it also stays mounted while it is closed. */
  isAbove?: boolean;
  /** Shown on the toggle: something in there needs attention ("Unsaved changes"). */
  remark?: string | null;
};

type EditorAreasProps = {
  areas: readonly Area[];
  open: GalleryArea | null;
  onToggle: (area: GalleryArea) => void;
  /** The gallery's name for its regions, on a page with several. */
  of?: string;
  /** The photos: always shown, except on phones below an area that fills the page. */
  children: ReactNode;
};

/**
 * The editor's toggles, the open area, and the photos. Knows no address and no gallery, so that a page may show several. Beside
 * the photos on wide screens, instead of them on phones.
 */
export function EditorAreas({ areas, open, onToggle, of, children }: EditorAreasProps) {
  const id = useId();
  const isOnly = of === undefined;
  const nameOf = (area: GalleryArea) => (isOnly ? FULL_AREA_NAMES[area] : `${AREA_NAMES[area]} of ${of}`);
  const opened = areas.find(({ name }) => name === open) ?? null;
  const isBeside = opened !== null && opened.isAbove !== true;
  const top = useRef<HTMLDivElement>(null);
  const last = useRef(open);
  useEffect(() => {
    // Opening an area from far down in the grid scrolls to its start.
    const isNew = last.current !== open;
    last.current = open;
    if (isNew && open !== null && (top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView();
  }, [open]);

  return (
    <div ref={top}>
      <div
        role="group"
        aria-label={of === undefined ? 'Parts of the gallery' : `Parts of ${of}`}
        className={cx(
          'z-20 -mx-5 flex border-line bg-paper sm:flex-wrap sm:gap-x-1 sm:px-5 md:mb-5 lg:static lg:mx-0 lg:px-0',
          isOnly
            ? 'own-tabs border-t max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:mx-0 max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)] md:sticky md:top-0 md:border-y'
            : 'sticky top-0 mb-5 border-y',
        )}
      >
        {areas.map((area) => (
          <AreaToggle
            key={area.name}
            area={area}
            isOpen={area.name === open}
            fullName={isOnly ? FULL_AREA_NAMES[area.name] : AREA_NAMES[area.name]}
            panelId={`${id}-${area.name}`}
            onToggle={() => onToggle(area.name)}
          />
        ))}
      </div>
      <div className={cx('grid gap-6 lg:items-start', isBeside && 'lg:grid-cols-[minmax(0,1fr)_24rem]')}>
        {opened && isBeside && (
          <Card
            key={opened.name}
            id={`${id}-${opened.name}`}
            role="region"
            aria-label={nameOf(opened.name)}
            className="min-w-0 px-5 pt-5 lg:order-2 lg:[--save-bar-bottom:calc(var(--tray-height,-1.25rem)+1.25rem)]"
          >
            <h2 className="sr-only">{nameOf(opened.name)}</h2>
            {/* The padding is in the panel, not in the box: a bar that sticks to the bottom would be above it. */}
            <div className="pb-5">{opened.panel}</div>
          </Card>
        )}
        <div className={cx('flex min-w-0 flex-col gap-5', isBeside && 'max-lg:hidden')}>
          {areas
            .filter(({ isAbove }) => isAbove)
            .map(({ name, panel }) => (
              <section key={name} id={`${id}-${name}`} aria-label={nameOf(name)} hidden={name !== open}>
                {panel}
              </section>
            ))}
          {children}
        </div>
      </div>
    </div>
  );
}

type AreaToggleProps = { area: Area; fullName: string; isOpen: boolean; panelId: string; onToggle: () => void };

function AreaToggle({ area: { name, remark = null }, fullName, isOpen, panelId, onToggle }: AreaToggleProps) {
  const Icon = ICONS[name];
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      onClick={onToggle}
      className={cx(
        '-mb-px flex min-h-14 flex-auto flex-col items-center justify-center gap-1 border-b-2 px-1 text-[min(0.6875rem,3.8vw)] leading-none font-semibold transition-colors sm:min-h-11 sm:flex-row md:flex-none sm:gap-2 sm:px-2 sm:text-sm lg:px-3',
        isOpen ? 'border-accent-text text-accent-text' : 'border-transparent text-quiet hover:text-ink',
      )}
    >
      <span aria-hidden="true" className="relative [&_svg]:size-5 sm:[&_svg]:size-4.5">
        {isOpen ? <X className="md:hidden" /> : null}
        <Icon className={cx('md:max-lg:hidden', isOpen && 'max-lg:hidden')} />
        {remark !== null && <span className="absolute -top-1 -right-1.5 size-2 rounded-full bg-warning" />}
      </span>
      {/* The name keeps its space, so that nothing moves when the other word is shown. */}
      <span className="grid sm:text-start md:max-lg:text-center [&>*]:col-start-1 [&>*]:row-start-1">
        <span className={cx('md:hidden', isOpen && 'invisible')}>{AREA_NAMES[name]}</span>
        <span className={cx('max-md:hidden', isOpen && 'max-lg:invisible')}>{fullName}</span>
        {isOpen && (
          <span className="lg:hidden">
            {CLOSE_AREA}
            <span className="sr-only"> {AREA_NAMES[name]}</span>
          </span>
        )}
      </span>
      {remark !== null && <span className="sr-only">({remark})</span>}
    </button>
  );
}

/** Stored in the history with an address whose area was opened from the page without one. */
const OPENED_HERE = { areaOpenedHere: true };

type OpenArea = { area: GalleryArea | null; toggle: (area: GalleryArea) => void };

/** @param usual the area that is open by default */
export function useArea(usual: GalleryArea | null): OpenArea {
  const [search] = useSearchParams();
  const { state, hash } = useLocation();
  const navigate = useNavigate();
  const area = areaOf(search, usual);
  const isOpenedHere = (state as Partial<typeof OPENED_HERE> | null)?.areaOpenedHere === true;

  function toggle(pressed: GalleryArea): void {
    const next = afterToggle(area, pressed);
    // Goes back to the page as it was, instead of adding another history entry.
    if (next === null && isOpenedHere) return void navigate(-1);
    const isOpening = (area === null || area === usual) && next !== null && next !== usual;
    void navigate(
      { search: searchWithArea(search, next, usual), hash },
      { replace: !isOpening, preventScrollReset: true, state: isOpening || isOpenedHere ? OPENED_HERE : null },
    );
  }
  return { area, toggle };
}

type EditorHeaderProps = {
  title: string;
  subtitle: string;
  dashboard: string;
  publicView: string;
  /** The tagging page; null in a gallery without photos. */
  tagging: string | null;
};

/** The head of the gallery editor: one line on phones, so that they show photos below it, and on wide screens. */
export function EditorHeader({ title, subtitle, dashboard, publicView, tagging }: EditorHeaderProps) {
  const link = 'shrink-0 max-sm:size-11 max-sm:p-0';
  return (
    <header className="flex flex-wrap items-center gap-2 pt-2 pb-3 sm:pt-6 sm:pb-5 lg:gap-4">
      <Link
        to={dashboard}
        className={buttonStyle({ variant: 'quiet', size: 'small', className: `${link} -ml-3 sm:max-lg:mr-auto` })}
      >
        <ArrowLeft aria-hidden="true" />
        <span className="max-sm:sr-only">Dashboard</span>
      </Link>
      {/* With large text and on tablets it gets its own lines, instead of breaking beside the links. */}
      <div className="min-w-32 flex-1 sm:max-lg:order-last sm:max-lg:basis-full">
        <h1 className="text-lg break-words max-sm:line-clamp-2 sm:text-2xl">{title}</h1>
        <p className="text-sm text-quiet">{subtitle}</p>
      </div>
      {tagging !== null && (
        <Link to={tagging} className={buttonStyle({ variant: 'secondary', size: 'small', className: link })}>
          <Tag aria-hidden="true" />
          <span className="max-sm:sr-only">Tag athletes</span>
        </Link>
      )}
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
