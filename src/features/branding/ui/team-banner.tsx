import type { ReactNode } from 'react';
import { FieldLines } from '#src/ui/form/field-lines.tsx';

type TeamBannerProps = {
  name: string;
  logoUrl: string | null;
  homeImageUrl: string | null;
  /** Above the name. */
  eyebrow?: ReactNode;
  /** Below the name. */
  children?: ReactNode;
  size?: 'team' | 'home';
  /** Aligned with a form below it. */
  isNarrow?: boolean;
};

/** An organization's name on its color, over its own picture if it has one, else over the lines of a sports field. */
export function TeamBanner({
  name,
  logoUrl,
  homeImageUrl,
  eyebrow,
  children,
  size = 'team',
  isNarrow = false,
}: TeamBannerProps) {
  const isHome = size === 'home';
  return (
    <header className="relative isolate overflow-clip bg-accent text-on-accent">
      {homeImageUrl ? (
        <>
          <img
            src={homeImageUrl}
            alt=""
            width={1278}
            height={500}
            fetchPriority="high"
            className="absolute inset-0 -z-20 size-full object-cover"
          />
          <div
            aria-hidden="true"
            className="absolute inset-0 -z-10 bg-[linear-gradient(90deg,rgb(11_12_14/0.8),rgb(11_12_14/0.62)_55%,rgb(11_12_14/0.1))] max-sm:bg-[rgb(11_12_14/0.62)] max-sm:bg-none"
          />
        </>
      ) : (
        <>
          <div
            aria-hidden="true"
            className="absolute inset-0 -z-20 bg-[radial-gradient(120%_140%_at_85%_-20%,rgb(255_255_255/0.18),transparent_55%),linear-gradient(100deg,transparent,rgb(0_0_0/0.16))]"
          />
          <FieldLines className="absolute inset-0 -z-10 size-full opacity-25 [mask-image:linear-gradient(90deg,transparent_15%,black_65%)]" />
        </>
      )}
      <div
        className={`mx-auto flex ${isNarrow ? 'max-w-2xl' : 'max-w-content'} flex-wrap gap-x-6 gap-y-4 px-5 ${isHome ? 'min-h-72 content-center items-start py-14 sm:min-h-96 sm:py-20' : 'min-h-44 items-center py-8 sm:min-h-52 sm:py-10'} ${homeImageUrl ? 'text-white' : ''}`}
      >
        {logoUrl && (
          <img
            src={logoUrl}
            alt=""
            width={88}
            height={88}
            className="size-18 shrink-0 rounded-lg bg-white object-contain p-1.5 sm:size-22"
          />
        )}
        <div className="min-w-0 flex-1 basis-64">
          {eyebrow && <div className="text-sm font-semibold">{eyebrow}</div>}
          <h1 className="text-2xl sm:text-3xl">{name}</h1>
          {children}
        </div>
      </div>
    </header>
  );
}
