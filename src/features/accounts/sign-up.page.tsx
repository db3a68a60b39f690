/** `/sign-up`: a person and their organisation in two steps, then straight to the dashboard (specification P§2.4, 4, 5, 8). */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { UserAnswer } from '#src/features/accounts/accounts.contract.ts';
import { landingAddress } from '#src/features/accounts/accounts.rules.ts';
import { TERMS_REQUIRED } from '#src/features/accounts/sign-up.contract.ts';
import {
  blankSignUp,
  changed,
  changedFields,
  firstStepProblems,
  listed,
  paysByCard,
  placed,
  secondStepProblems,
  signUpPayload,
  type SignUpValues,
} from '#src/features/accounts/sign-up-form.rules.ts';
import { QuietLink } from '#src/features/accounts/ui/quiet-link.tsx';
import { SignUpPerson } from '#src/features/accounts/ui/sign-up-person.tsx';
import { SignUpPlan } from '#src/features/accounts/ui/sign-up-plan.tsx';
import { StepMarks } from '#src/features/accounts/ui/step-marks.tsx';
import type { CardHandle } from '#src/features/billing/card-entry.contract.ts';
import { useCart } from '#src/features/cart/cart.client.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Main } from '#src/ui/main.tsx';
import { callApi, fieldMessagesOf } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/sign-up.page.ts';

export function meta({ loaderData }: Route.MetaArgs) {
  const site = loaderData?.site ?? 'Sideline';
  return [
    { title: `Sign up · ${site}` },
    { name: 'description', content: `Open an account with ${site}: galleries of your games that pay for the team.` },
  ];
}

export function loader({ context }: Route.LoaderArgs) {
  const { app, tenant, url } = context.get(requestContext);
  const { organization } = tenant;
  const isRoot = organization.kind === 'root';
  const home = siteUrl(siteOrigin(app.site.baseDomain, app.site.port), organization.domainName, '/');
  return {
    parentId: organization.id,
    site: isRoot ? 'Sideline' : organization.name,
    prefix: home.replace(/^https?:\/\//, ''),
    baseDomain: app.site.baseDomain,
    offersFree: isRoot,
    wantsFree: isRoot && url.searchParams.get('plan') === 'free',
    takesPromoCodes: organization.takesPromoCodes,
    cardSetup: app.site.cardSetup,
    passwordMin: app.site.passwordMin,
  };
}

/** The steps are this page's own: going between them asks the server nothing. */
export const shouldRevalidate = () => false;

type Problems = { errors: FieldErrors; messages: readonly string[] };
const NONE: Problems = { errors: {}, messages: [] };

export default function SignUpPage({ loaderData }: Route.ComponentProps) {
  const { parentId, site, prefix, baseDomain, passwordMin } = loaderData;
  const [values, setValues] = useState(() => blankSignUp(loaderData.wantsFree));
  const [problems, setProblems] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const { step, wasSecond, heading, goOn, goBack } = useSteps();
  const card = useRef<CardHandle>(null);
  const cart = useCart(parentId);

  function change(part: Partial<SignUpValues>) {
    const next = changed(values, part);
    setValues(next);
    setProblems((before) => problemsAfter(before, values, next));
  }

  /** Shows what is wrong; true when nothing is. */
  function isFine(errors: FieldErrors, messages: readonly string[] = listed(errors)): boolean {
    setAttempt((count) => count + 1);
    setProblems({ errors, messages });
    return messages.length === 0;
  }

  async function signUp() {
    if (isSending) return;
    const errors = secondStepProblems(values);
    const isPaid = paysByCard(values);
    if (isPaid && card.current?.isEmpty()) errors['number'] = [CARD_REQUIRED];
    if (!isFine(errors)) return;
    setIsSending(true);
    const refusal = await send(isPaid);
    if (refusal === null) return;
    setIsSending(false);
    isFine(refusal.errors, refusal.messages);
    if (refusal.step === 1) goBack(true);
  }

  /** Answers what was wrong; null when the browser is on its way to the dashboard. */
  async function send(isPaid: boolean): Promise<(Problems & { step: 1 | 2 }) | null> {
    const taken = isPaid ? await card.current?.createToken() : { token: null };
    if (taken === undefined || 'error' in taken)
      return { errors: {}, messages: [taken?.error ?? CARD_REQUIRED], step: 2 };
    const path = isPaid ? '/api/v1/organizations/sign_up' : '/signup/';
    const body = signUpPayload(values, parentId, taken.token);
    const answer = await callApi<UserAnswer[]>('POST', path, { body });
    if (!answer.ok) return { ...placed(answer.errors), messages: fieldMessagesOf(answer) };
    if (isPaid) cart.clear();
    const [user] = answer.data;
    window.location.assign(user ? landingAddress(user, window.location, baseDomain) : '/login');
    return null;
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (step === 2) return void signUp();
    if (isFine(firstStepProblems(values, passwordMin))) goOn();
  }

  /** The button sleeps until the terms are agreed to; somebody who presses Enter then hears why. */
  function explain() {
    if (!values.agrees) isFine(secondStepProblems(values));
  }

  return (
    <Main className="grid place-items-center py-8 sm:py-14">
      <div className="w-full max-w-xl">
        <h1 className="text-xl sm:text-2xl">Sign up</h1>
        <p className="mt-1 mb-6 text-pretty text-quiet">Galleries of your games, on your own page at {site}.</p>
        <Card className="p-5 sm:p-8">
          <StepMarks step={step} names={['You and your organization', 'Plan and payment']} />
          <h2 ref={heading} tabIndex={-1} className="mt-5 mb-5 text-lg outline-none">
            {step === 1 ? 'You and your organization' : 'Plan and payment'}
          </h2>
          <form noValidate method="post" onSubmit={submit} className="flex flex-col gap-6">
            <ErrorList messages={problems.messages} attempt={attempt} />
            <div hidden={step !== 1}>
              <SignUpPerson
                values={values}
                errors={problems.errors}
                prefix={prefix}
                passwordMin={passwordMin}
                onChange={change}
              />
            </div>
            {/* Only once it is needed (a card provider may bring scripts), then kept with what was typed. */}
            {wasSecond && (
              <div hidden={step !== 2}>
                <SignUpPlan
                  values={values}
                  errors={problems.errors}
                  offersFree={loaderData.offersFree}
                  takesPromoCodes={loaderData.takesPromoCodes}
                  cardSetup={loaderData.cardSetup}
                  card={card}
                  onChange={change}
                  onEnter={explain}
                />
              </div>
            )}
            <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-between">
              {step === 2 && (
                <Button variant="secondary" size="large" onClick={() => goBack()} disabled={isSending}>
                  Back
                </Button>
              )}
              <Button
                type="submit"
                size="large"
                className="sm:ml-auto"
                busy={isSending && 'Signing Up...'}
                disabled={step === 2 && !values.agrees}
              >
                {step === 1 ? 'Continue' : 'Sign Up'}
              </Button>
            </div>
          </form>
        </Card>
        <p className="mt-5 flex min-h-11 flex-wrap items-center justify-center gap-1.5 text-sm text-quiet">
          Already have an account? <QuietLink to="/login">Log in</QuietLink>
        </p>
      </div>
    </Main>
  );
}

/** What was said of a field is over when it changes; another way to pay is another form. */
function problemsAfter({ errors, messages }: Problems, before: SignUpValues, next: SignUpValues): Problems {
  if (paysByCard(before) !== paysByCard(next)) return NONE;
  const touched = new Set(changedFields(before, next));
  const left = Object.entries(errors).filter(([field]) => !touched.has(field));
  const terms = before.agrees && !next.agrees ? { agreeToTerms: [TERMS_REQUIRED] } : {};
  return { messages, errors: { ...Object.fromEntries(left), ...terms } };
}

/**
 * The step stands in the address, so that the browser's own Back goes from the second to the first; what was typed
 * stays, because the page does. Opened afresh, it begins with the first.
 */
function useSteps() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [mayBeSecond, setMayBeSecond] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const movesFocus = useRef(false);
  const step: 1 | 2 = mayBeSecond && params.get('step') === '2' ? 2 : 1;

  // A new step begins at its heading, also for ears.
  useEffect(() => {
    if (movesFocus.current) heading.current?.focus();
    movesFocus.current = false;
  }, [step]);

  return {
    step,
    wasSecond: mayBeSecond,
    heading,
    goOn() {
      movesFocus.current = true;
      setMayBeSecond(true);
      void navigate('?step=2');
    },
    /** To mend something, the list of problems keeps the focus. */
    goBack(toMend = false) {
      movesFocus.current = !toMend;
      void navigate(-1);
    },
  };
}
