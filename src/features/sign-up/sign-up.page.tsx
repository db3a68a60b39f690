/** `/sign-up`: a person and their organization in two steps, then the dashboard (specification P§2.4, 4, 5, 8). */
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { redirect, useNavigate, useSearchParams } from 'react-router';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { landingAddress } from '#src/features/accounts/accounts.rules.ts';
import { ACCOUNT_TAKEN } from '#src/features/sign-up/sign-up.contract.ts';
import {
  blankSignUp,
  changed,
  firstStepProblems,
  paysByCard,
  placed,
  problemsLeft,
  secondStepProblems,
  signUpPayload,
  signUpValuesOf,
  type SignUpProblems,
  type SignUpValues,
} from '#src/features/sign-up/sign-up-form.rules.ts';
import { QuietLink } from '#src/features/accounts/ui/account-sheet.tsx';
import { SignUpPerson } from '#src/features/sign-up/ui/sign-up-person.tsx';
import { SignUpPlan } from '#src/features/sign-up/ui/sign-up-plan.tsx';
import type { CardHandle } from '#src/features/billing/card-entry.contract.ts';
import { useCart } from '#src/features/cart/cart.client.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Main } from '#src/ui/main.tsx';
import { api, unchecked } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { whereSessionsBegin } from '#src/web/safe-redirect.ts';
import type { Route } from './+types/sign-up.page.ts';
import { Check } from '#src/ui/icon.tsx';

export function meta({ loaderData }: Route.MetaArgs) {
  const site = loaderData?.site ?? 'Sideline';
  return [
    { title: `Sign up · ${site}` },
    { name: 'description', content: `Open an account with ${site}: galleries of your games that pay for the team.` },
  ];
}

export function loader({ request, context }: Route.LoaderArgs) {
  const { app, tenant, url, form } = context.get(requestContext);
  const mainHost = whereSessionsBegin(url, request, app.site.baseDomain);
  // A form that was refused is shown again where it was sent.
  if (mainHost !== null && form === null) throw redirect(mainHost);
  const { organization } = tenant;
  const isRoot = organization.kind === 'root';
  const home = siteUrl(siteOrigin(app.site.baseDomain, app.site.port), organization.domainName, '/');
  return {
    parentId: organization.id,
    site: isRoot ? 'Sideline' : organization.name,
    prefix: home.replace(/^https?:\/\//, ''),
    baseDomain: app.site.baseDomain,
    offersFree: isRoot,
    wantsFree: isRoot && url.searchParams.get('plan') !== 'premium',
    takesPromoCodes: organization.takesPromoCodes,
    cardSetup: app.site.cardSetup,
    passwordMin: app.site.passwordMin,
    sent: form,
  };
}

/** The steps belong to this page: moving between them loads nothing. */
export const shouldRevalidate = () => false;

const NONE: SignUpProblems = { errors: {}, messages: [] };
const STEPS = ['You and your organization', 'Plan and payment'] as const;

export default function SignUpPage({ loaderData }: Route.ComponentProps) {
  const { site, prefix, passwordMin } = loaderData;
  const signUp = useSignUp(loaderData);
  const { values, problems, attempt, isSending, isRefusedCard, isOnePage, card, form } = signUp;
  const { step, wasSecond, heading, goBack } = signUp.steps;
  return (
    <Main className="grid place-items-center py-8 sm:py-14">
      <div className="w-full max-w-xl">
        <h1 className="text-xl sm:text-2xl">Sign up</h1>
        <p className="mt-1 mb-6 text-pretty text-quiet">Galleries of your games, on your own page at {site}.</p>
        <Card className="p-5 sm:p-8">
          {!isOnePage && (
            <div className="noscript:hidden">
              <StepMarks step={step} names={STEPS} />
            </div>
          )}
          <form ref={form} noValidate method="post" onSubmit={signUp.submit} className="mt-5 flex flex-col gap-6">
            <ErrorList messages={isRefusedCard ? [] : problems.messages} attempt={attempt} />
            {problems.messages.includes(ACCOUNT_TAKEN) && <WaysIn />}
            <section className={cx(step !== 1 && !isOnePage && 'hidden')}>
              <StepHeading ref={step === 1 ? heading : null}>{STEPS[0]}</StepHeading>
              <SignUpPerson
                values={values}
                errors={problems.errors}
                prefix={prefix}
                passwordMin={passwordMin}
                onChange={signUp.change}
              />
            </section>
            <section className={cx(step !== 2 && !isOnePage && 'hidden noscript:block')}>
              <StepHeading ref={step === 2 ? heading : null}>{STEPS[1]}</StepHeading>
              <SignUpPlan
                values={values}
                errors={problems.errors}
                refusal={{ messages: isRefusedCard ? problems.messages : [], attempt }}
                offersFree={loaderData.offersFree}
                takesPromoCodes={loaderData.takesPromoCodes}
                cardSetup={loaderData.cardSetup}
                hasCard={wasSecond || isOnePage}
                card={card}
                onChange={signUp.change}
                onEnter={signUp.explain}
              />
            </section>
            <Buttons
              step={isOnePage ? null : step}
              isSending={isSending}
              mayEnd={values.agrees}
              onBack={() => goBack()}
            />
          </form>
        </Card>
        <p className="mt-5 flex min-h-11 flex-wrap items-center justify-center gap-1.5 text-sm text-quiet">
          Already have an account? <QuietLink to="/login">Log in</QuietLink>
        </p>
      </div>
    </Main>
  );
}

/** Values, problems, and the two steps. */
function useSignUp(loaderData: Route.ComponentProps['loaderData']) {
  const { parentId, baseDomain, passwordMin, sent } = loaderData;
  const [values, setValues] = useState(() => (sent ? signUpValuesOf(sent.values) : blankSignUp(loaderData.wantsFree)));
  const [problems, setProblems] = useState<SignUpProblems>(sent ?? NONE);
  const [attempt, setAttempt] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const [isRefusedCard, setRefusedCard] = useState(false);
  // Without JavaScript, the whole form is on one page.
  const isOnePage = sent !== null;
  const steps = useSteps();
  const { step, goOn, goBack } = steps;
  const card = useRef<CardHandle>(null);
  const form = useRef<HTMLFormElement>(null);
  const cart = useCart(parentId);
  useTypedBefore(form, setValues);
  useFocusOnProblem(form, problems, attempt);

  function change(part: Partial<SignUpValues>) {
    const next = changed(values, part);
    setValues(next);
    setProblems({ messages: [], errors: problemsLeft(problems.errors, { before: values, next, passwordMin }) });
  }

  /** Shows the problems; true when there are none. */
  function isFine({ errors, messages }: SignUpProblems): boolean {
    setAttempt((count) => count + 1);
    setRefusedCard(false);
    setProblems({ errors, messages });
    return messages.length === 0 && Object.keys(errors).length === 0;
  }

  async function finish() {
    if (isSending) return;
    const errors = { ...(isOnePage ? firstStepProblems(values, passwordMin) : {}), ...secondStepProblems(values) };
    const isPaid = paysByCard(values);
    if (isPaid && card.current?.isEmpty()) errors['number'] = [CARD_REQUIRED];
    if (!isFine({ errors, messages: [] })) return;
    setIsSending(true);
    const outcome = await createAccount(values, parentId, card.current);
    if ('user' in outcome) {
      if (isPaid) cart.clear();
      return window.location.assign(
        outcome.user ? landingAddress(outcome.user, window.location, baseDomain) : '/login',
      );
    }
    const { refusal } = outcome;
    setIsSending(false);
    isFine(refusal);
    setRefusedCard(refusal.ofCard === true);
    if (refusal.step === 1 && !isOnePage) goBack(true);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isOnePage || step === 2) return void finish();
    if (isFine({ errors: firstStepProblems(values, passwordMin), messages: [] })) goOn();
  }

  /** The button is disabled until the terms are accepted; pressing Enter then says why. */
  function explain() {
    if (!values.agrees) isFine({ errors: secondStepProblems(values), messages: [] });
  }

  return {
    values,
    problems,
    attempt,
    isSending,
    isRefusedCard,
    isOnePage,
    card,
    form,
    steps,
    change,
    submit,
    explain,
  };
}

type Refusal = SignUpProblems & { step: 1 | 2; ofCard?: boolean };

/** Gets the card's token if a card pays, and sends the form. */
async function createAccount(
  values: SignUpValues,
  parentId: number,
  card: CardHandle | null,
): Promise<{ user: UserAnswer | undefined } | { refusal: Refusal }> {
  const isPaid = paysByCard(values);
  const taken = isPaid ? await card?.createToken() : { token: null };
  // The card's fields show their own problems; others are shown above them.
  if (taken === undefined) return { refusal: { errors: { number: [CARD_REQUIRED] }, messages: [], step: 2 } };
  if ('error' in taken) {
    const messages = Object.keys(taken.errors).length > 0 ? [] : [taken.error];
    return { refusal: { errors: {}, messages, step: 2, ofCard: true } };
  }
  const call = isPaid ? 'POST /api/v1/organizations/sign_up' : 'POST /signup/';
  const body = signUpPayload(values, parentId, taken.token);
  const answer = await api(call, { body: unchecked(body) });
  if (answer.ok) return { user: answer.data[0] };
  const found = placed(answer.errors);
  const isAtField = Object.keys(answer.errors).length > 0;
  return {
    refusal: { ...found, messages: isAtField ? found.messages : [answer.error], ofCard: answer.status === 402 },
  };
}

function WaysIn() {
  return (
    <p className="-mt-3 text-sm text-pretty text-quiet">
      Is it your email address? <QuietLink to="/forgot-password">Choose a new password</QuietLink> and the account is
      yours.
    </p>
  );
}

type ButtonsProps = {
  /** Null if the whole form is on one page. */
  step: 1 | 2 | null;
  isSending: boolean;
  mayEnd: boolean;
  onBack: () => void;
};

function Buttons({ step, isSending, mayEnd, onBack }: ButtonsProps) {
  return (
    <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-between">
      {step === 2 && (
        <Button variant="secondary" size="large" onClick={onBack} disabled={isSending}>
          Back
        </Button>
      )}
      <Button
        type="submit"
        size="large"
        className="sm:ml-auto"
        busy={isSending && 'Signing Up...'}
        disabled={step === 2 && !mayEnd}
      >
        {step === 1 ? (
          <>
            <span className="noscript:hidden">Continue</span>
            <span className="hidden noscript:inline">Sign Up</span>
          </>
        ) : (
          'Sign Up'
        )}
      </Button>
    </div>
  );
}

function StepHeading({ ref, children }: { ref: Ref<HTMLHeadingElement>; children: ReactNode }) {
  return (
    <h2 ref={ref} tabIndex={-1} className="mb-5 text-lg outline-none">
      {children}
    </h2>
  );
}

/** Keeps what was typed before JavaScript was loaded. */
function useTypedBefore(form: RefObject<HTMLFormElement | null>, take: (values: SignUpValues) => void): void {
  const takeTyped = useEffectEvent(() => {
    if (!form.current) return;
    const given = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    take({ ...signUpValuesOf(Object.fromEntries(given) as Record<string, string>), acceptedCode: null });
  });
  // Once, after hydration.
  useEffect(() => takeTyped(), []);
}

/** After a submit, the first invalid field gets the focus; a problem without a field gets it in its list. */
function useFocusOnProblem(form: RefObject<HTMLFormElement | null>, problems: SignUpProblems, attempt: number): void {
  const focusFirst = useEffectEvent(() => {
    if (problems.messages.length > 0) return;
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    wrong.find((field) => field.offsetParent !== null)?.focus();
  });
  // Only a new submit moves the focus, never a change of the text.
  useEffect(() => {
    if (attempt > 0) focusFirst();
  }, [attempt]);
}

/**
 * The step is in the address, so that the browser's Back goes from the second to the first; the values stay with the page. A
 * new page starts with the first step.
 */
function useSteps() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [mayBeSecond, setMayBeSecond] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const movesFocus = useRef(false);
  const step: 1 | 2 = mayBeSecond && params.get('step') === '2' ? 2 : 1;

  // A new step starts at its heading, also for screen readers.
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
    /** When something must be corrected, the list of problems keeps the focus. */
    goBack(toMend = false) {
      movesFocus.current = !toMend;
      void navigate(-1);
    },
  };
}

export function StepMarks({ step, names }: { step: number; names: readonly string[] }) {
  return (
    <ol className="flex gap-3" aria-label="Steps">
      {names.map((name, index) => {
        const isDone = index + 1 < step;
        const isHere = index + 1 === step;
        return (
          <li key={name} aria-current={isHere ? 'step' : undefined} className="flex flex-1 flex-col gap-2">
            <span className={cx('h-1 rounded-full', isDone || isHere ? 'bg-accent' : 'bg-line')} />
            <span
              className={cx(
                'flex items-center gap-1.5 text-xs font-semibold',
                isHere ? 'text-accent-text' : 'text-quiet',
              )}
            >
              {isDone && <Check aria-hidden="true" className="size-4" />}
              <span>
                Step {index + 1} of {names.length}
                {isDone && <span className="sr-only">, done</span>}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
