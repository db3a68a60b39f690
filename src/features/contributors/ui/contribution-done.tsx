import { useEffect, useRef } from 'react';
import { Button } from '#src/ui/button.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type DoneProps = { accepted: number; organization: string; galleryTo: string; onMore: () => void };

/** The success page: what happens now, and one more round. */
export function ContributionDone({ accepted, organization, galleryTo, onMore }: DoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-label="Success" className="flex flex-col items-center gap-4 py-6 text-center">
      <span
        aria-hidden="true"
        className="grid size-14 place-items-center rounded-full bg-success-tint text-success [&_svg]:size-6"
      >
        <CircleCheck />
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
        Thank you!
      </h2>
      <p role="status" className="max-w-prose text-quiet">
        {accepted === 1 ? 'Your photo has' : `Your ${accepted} photos have`} arrived. {organization} looks at{' '}
        {accepted === 1 ? 'it' : 'them'} first; then {accepted === 1 ? 'it appears' : 'they appear'} in the gallery.
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button onClick={onMore}>Send more photos</Button>
        <LinkButton to={galleryTo} variant="secondary">
          See the gallery
        </LinkButton>
      </div>
    </section>
  );
}
