/** `/:affiliate/gallery/:id/photo/:photo/hide`: anyone who sees a photo may ask to hide it. Works without JavaScript, too. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { redirect, useLocation } from 'react-router';
import { galleryPath, photoPath } from '#src/features/galleries/gallery-link.rules.ts';
import { showPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { askToHidePath, formProblemOf, wasRequested } from '#src/features/takedowns/takedowns.rules.ts';
import {
  ASK_TO_HIDE,
  CONTACT_REQUIRED,
  FORGET_AFTER_DAYS,
  GUARDIAN_LABEL,
  MAX_CONTACT,
  MAX_REASON,
  REASON_REQUIRED,
  TAKEDOWN_THANKS,
  type TakedownRequest,
} from '#src/features/takedowns/takedowns.contract.ts';
import { notFound, type FieldErrors } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { hasVisibleText, INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { Card } from '#src/ui/card.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { ParentLink } from '#src/ui/parent-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { ratioOf, renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { orNewPlace } from '#src/web/not-found.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/ask-to-hide.page.ts';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { api } from '#src/web/api-client.ts';
import { useClosedToasts } from '#src/web/use-closed-toasts.ts';
import { useFocusOnError } from '#src/web/use-focus-on-error.ts';
import { useForm } from '#src/web/use-form.ts';
import { buttonStyle } from '#src/ui/button-style.ts';

export const handle: RouteHandle = { hidesCart: true };

export const loader = orNewPlace(open, ({ affiliate, galleryId }, id) => askToHidePath({ affiliate, galleryId, id }));

async function open({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const [galleryId, photoId] = [readId(params.id), readId(params.photo)];
  if (galleryId === null || photoId === null) throw notFound();
  const view = await app.galleries.view(caller, galleryId);
  if (view.gallery.organizationId !== affiliate.id || !view.gallery.active) throw notFound();
  const place = { affiliate: affiliate.domainName, galleryId };
  const about = { affiliate: affiliate.name, gallery: galleryPath(place) };
  if (wasRequested(url.searchParams)) return { ...about, photo: null, backTo: about.gallery, problem: null };
  // The gallery's page asks for the password.
  if (view.locked) throw redirect(photoPath(place, photoId));
  const { photo } = await app.photos.find(caller, galleryId, photoId, { asVisitor: true, index: 0 });
  return {
    ...about,
    photo: showPhoto(photo),
    backTo: photoPath(place, photoId),
    problem: formProblemOf(url.searchParams),
  };
}

export function meta() {
  return [{ title: ASK_TO_HIDE }, { name: 'robots', content: 'noindex' }];
}

export default function AskToHidePage({ loaderData }: Route.ComponentProps) {
  const { affiliate, gallery, photo, backTo, problem } = loaderData;
  useClosedToasts();
  const [isAsked, setAsked] = useState(photo === null);
  return (
    <Main className="py-5 sm:py-10">
      <div className="mx-auto w-full max-w-3xl">
        <ParentLink to={isAsked ? gallery : backTo}>{isAsked ? 'The gallery' : 'The photo'}</ParentLink>
        {isAsked || !photo ? (
          <RequestSent message={TAKEDOWN_THANKS} galleryTo={gallery} takesFocus={photo !== null} />
        ) : (
          <Card className="mt-2 grid gap-6 p-5 sm:p-8 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:gap-8">
            <div>
              <img
                src={renditionUrl(photo.imageUrl, 480)}
                srcSet={srcSetOf(photo)}
                sizes="(min-width: 768px) 300px, 50vw"
                alt={photo.alt}
                className="max-w-full rounded bg-sunken object-contain"
                // As wide as the picture will be, so that the form does not move when it arrives.
                style={{ aspectRatio: ratioOf(photo), width: `min(50vw, 300px, 16rem * ${ratioOf(photo)})` }}
              />
            </div>
            <div>
              <h1 className="text-xl">{ASK_TO_HIDE}</h1>
              <p className="mt-2 text-pretty text-quiet">
                {affiliate} decides and replies to you. No one else sees what you write here.
              </p>
              <AskForm photo={photo} problem={problem} onAsked={() => setAsked(true)} />
            </div>
          </Card>
        )}
      </div>
    </Main>
  );
}

const BLANK: TakedownRequest = { reason: '', contact: '', guardian: false };

type AskFormProps = {
  photo: { id: number; galleryId: number };
  /** The problem of a submit without JavaScript. */
  problem: string | null;
  onAsked: () => void;
};

/** Three questions. Without JavaScript it is a plain form, and the browser checks required fields. */
export function AskForm({ photo, problem, onAsked }: AskFormProps) {
  const { errors, attempt, isSending, set, send } = useForm<TakedownRequest>(BLANK, problemsOf);
  const { reason, contact, ...others } = errors;
  const failure = attempt === 0 ? problem : (Object.values(others).flat()[0] ?? null);
  const form = useRef<HTMLFormElement>(null);
  const { pathname } = useLocation();
  // Without JavaScript the browser reports missing fields; with it the form reports all of them in our words.
  useEffect(() => {
    if (form.current) form.current.noValidate = true;
  }, []);
  useFocusOnError(form, attempt);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const body = readRequest(event.currentTarget);
    const params = { id: photo.galleryId, photoId: photo.id };
    const sent = await send(
      () => api('POST /api/v1/galleries/{id}/gallery_photos/{photoId}/takedown', { params, body }),
      body,
    );
    if (sent) onAsked();
  }

  return (
    <form
      ref={form}
      method="post"
      action={`/api/v1/galleries/${photo.galleryId}/gallery_photos/${photo.id}/takedown_form`}
      onInput={(event) => set(readRequest(event.currentTarget))}
      onSubmit={(event) => void submit(event)}
      className="mt-5 flex flex-col gap-5"
    >
      <input type="hidden" name="to" value={pathname} />
      <TextArea
        label="Why should it be hidden?"
        name="reason"
        required
        maxLength={MAX_REASON}
        hint="Say who is in the picture, so that we can find it, and what concerns you."
        errors={reason}
      />
      <TextField
        type="email"
        spellCheck={false}
        label="Your email address"
        name="contact"
        autoComplete="email"
        required
        maxLength={MAX_CONTACT}
        hint={`For the reply. Only the people who decide see it, and it is removed ${FORGET_AFTER_DAYS} days after the decision.`}
        errors={contact}
      />
      <Checkbox label={GUARDIAN_LABEL} name="guardian" />
      <div role="alert" className="empty:hidden">
        {failure !== null && <Notice tone="warning">{failure}</Notice>}
      </div>
      <Button type="submit" size="large" busy={isSending && 'Sending...'}>
        Send request
      </Button>
    </form>
  );
}

function readRequest(form: HTMLFormElement): TakedownRequest {
  const given = new FormData(form);
  return {
    reason: String(given.get('reason') ?? ''),
    contact: String(given.get('contact') ?? ''),
    guardian: given.has('guardian'),
  };
}

function problemsOf({ reason, contact }: TakedownRequest): FieldErrors {
  return {
    ...(hasVisibleText(reason) ? {} : { reason: [REASON_REQUIRED] }),
    ...(!hasVisibleText(contact)
      ? { contact: [CONTACT_REQUIRED] }
      : isEmail(contact.trim())
        ? {}
        : { contact: [INVALID_EMAIL] }),
  };
}

type RequestSentProps = {
  message: string;
  galleryTo: string;
  /** The form that had the focus is gone. */
  takesFocus: boolean;
};

/** The request was sent. A plain link leads back, so that the gallery is loaded again without the photo. */
export function RequestSent({ message, galleryTo, takesFocus }: RequestSentProps) {
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
