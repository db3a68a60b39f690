import { useEffect, useRef } from 'react';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';

/** The request is on its way. A plain link leads back, so that the gallery is read anew without the photo. */
export function Asked({
  message,
  galleryTo,
  takesFocus,
}: {
  message: string;
  galleryTo: string;
  /** The form that had it is gone. */
  takesFocus: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Card className="mt-2 flex flex-col items-start gap-4 p-6 sm:p-8">
      <span aria-hidden="true" className="grid size-12 place-items-center rounded-full bg-success-tint text-success">
        <CircleCheck className="size-6" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
        We have your request
      </h1>
      <p role="status" className="text-pretty text-quiet">
        {message}
      </p>
      <a href={galleryTo} className={buttonStyle({ variant: 'secondary' })}>
        Back to the gallery
      </a>
    </Card>
  );
}
