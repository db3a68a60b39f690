import { Link } from 'react-router';
import { START_STEPS, type StartStep } from '#src/features/dashboard/start-guide.rules.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { Check, Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

const STEPS: Record<StartStep, { title: string; how: string }> = {
  create: { title: 'Create a gallery', how: 'One for each event. Name it and set a price.' },
  upload: { title: 'Add photos', how: 'From your computer or straight from your phone.' },
  share: { title: 'Share it', how: 'Send families the link. They find, buy and download on their own.' },
};

type StartGuideProps = {
  next: StartStep;
  /** The affiliate's domain name. */
  path: string;
  /** Null before there is one. */
  galleryId: number | null;
};

/** From an empty dashboard to the first sale: completed steps, and the next step with its button. */
export function StartGuide({ next, path, galleryId }: StartGuideProps) {
  const at = START_STEPS.indexOf(next);
  return (
    <Card className="mb-8 p-5 sm:p-6">
      <section aria-labelledby="start-guide">
        <h2 id="start-guide" className="mb-4 text-lg">
          Three steps to your first sale
        </h2>
        <ol className="grid gap-4 lg:grid-cols-3 lg:gap-8">
          {START_STEPS.map((step, index) => (
            <li key={step} aria-current={index === at ? 'step' : undefined} className="flex gap-3">
              <span
                className={cx(
                  'grid size-8 shrink-0 place-items-center rounded-full text-sm font-bold tabular-nums',
                  index < at && 'bg-success-tint text-success',
                  index === at && 'bg-accent text-on-accent',
                  index > at && 'bg-sunken text-quiet',
                )}
              >
                {index < at ? <Check aria-label="Done" className="size-5" /> : index + 1}
              </span>
              <div className="min-w-0 pt-1">
                <h3 className={cx('font-sans text-base leading-tight font-bold', index > at && 'text-quiet')}>
                  {STEPS[step].title}
                </h3>
                {index >= at && <p className="mt-1 text-sm text-pretty text-quiet">{STEPS[step].how}</p>}
                {index === at && (
                  <div className="mt-3">
                    <StepLink step={step} path={path} galleryId={galleryId} />
                  </div>
                )}
              </div>
            </li>
          ))}
        </ol>
        <p className="mt-5 border-t border-line pt-4 text-sm text-pretty text-quiet">
          Families find all your galleries on <PageLink to={`/${path}`}>your page</PageLink>. You can give it{' '}
          <PageLink to={`/${path}/settings#branding`}>your logo and color</PageLink>.
        </p>
      </section>
    </Card>
  );
}

const PageLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="font-semibold text-ink underline underline-offset-4">
    {children}
  </Link>
);

function StepLink({ step, path, galleryId }: { step: StartStep; path: string; galleryId: number | null }) {
  if (step === 'create')
    return (
      <LinkButton to={`/${path}/create-gallery`}>
        <Plus aria-hidden="true" />
        Create New Gallery
      </LinkButton>
    );
  const area = step === 'upload' ? 'upload' : 'share';
  return (
    <LinkButton to={`/${path}/gallery/${galleryId}/edit?area=${area}`}>
      {step === 'upload' ? 'Add photos' : 'Share gallery'}
    </LinkButton>
  );
}
