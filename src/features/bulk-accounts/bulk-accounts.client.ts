/** The state of the bulk account forms: input, progress, and results. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  blankForm,
  changed,
  draftOf,
  hasInput,
  problemLines,
  numbered,
  payloadOf,
  problemsOf,
  readDraft,
  refusalOf,
  sharedProblems,
  stopsTheRun,
  type AccountForm,
  type AccountValues,
} from '#src/features/bulk-accounts/bulk-accounts.rules.ts';
import { ACCOUNTS_CREATED, MAX_FORMS, someCreated } from '#src/features/bulk-accounts/bulk-accounts.contract.ts';
import type { Done } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { storeInTab, readFromTab } from '#src/web/tab-storage.ts';

const DRAFT_KEY = 'sideline-bulk-accounts';

type Progress = { place: number; total: number };
type Notice = { messages: readonly string[]; errors: Record<string, FieldErrors>; attempt: number };
const NO_NOTICE: Notice = { messages: [], errors: {}, attempt: 0 };

export function useBulkAccounts(start: { userId: number; parent: OrganizationChoice | null; passwordMin: number }) {
  const { userId, parent, passwordMin } = start;
  const [forms, setForms] = useState<AccountForm[]>(() => [blankForm(FIRST_KEY, parent)]);
  const [notice, setNotice] = useState<Notice>(NO_NOTICE);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [created, setCreated] = useState<readonly Done[]>([]);
  const isRunning = useRef(false);
  const [isRestored, setRestored] = useState(false);
  useDraft(userId, forms, (kept) => {
    setForms(kept);
    setRestored(true);
  });

  const change = useCallback((key: string, part: Partial<AccountValues>) => {
    setForms((now) => now.map((form) => (form.key === key ? changed(form, part) : form)));
    setNotice((now) => withoutFields(now, key, Object.keys(part)));
  }, []);

  function add(): string | null {
    if (forms.length >= MAX_FORMS) return null;
    const key = crypto.randomUUID();
    // The next account is usually below the same parent.
    setForms((now) => [...now, blankForm(key, now.at(-1)?.parent ?? parent)]);
    return key;
  }

  function remove(key: string): void {
    setForms((now) => (now.length > 1 ? now.filter((form) => form.key !== key) : now));
    setNotice((now) => ({
      ...now,
      messages: [],
      errors: Object.fromEntries(Object.entries(now.errors).filter(([each]) => each !== key)),
    }));
  }

  /** True if all of them may be sent. */
  function check(sent: readonly AccountForm[]): boolean {
    const { messages, errors } = problemsIn(sent, passwordMin);
    setNotice((now) => ({ messages, errors, attempt: now.attempt + 1 }));
    return Object.keys(errors).length === 0;
  }

  /** Created accounts leave the page, the others keep their input. */
  async function create(): Promise<void> {
    if (isRunning.current) return;
    // Keys of the first page's form are created in the browser.
    const sent = forms.map((form) => (form.key === FIRST_KEY ? { ...form, key: crypto.randomUUID() } : form));
    setForms(sent);
    if (!check(sent)) return;
    isRunning.current = true;
    const { done, refused } = await sendInTurn(sent, (place) => setProgress({ place, total: sent.length }));
    const left = sent.filter(({ key }) => !done.has(key));
    if (left.length > 0) setForms(left);
    else startOver();
    setCreated((now) => [...done.values(), ...now]);
    setNotice((now) => ({ ...refusalsOf(left, refused, done.size, sent.length), attempt: now.attempt + 1 }));
    setProgress(null);
    isRunning.current = false;
    if (left.length === 0) showToast(ACCOUNTS_CREATED, 'success');
  }

  function startOver(): void {
    setForms([blankForm(crypto.randomUUID(), parent)]);
    setNotice((now) => ({ ...NO_NOTICE, attempt: now.attempt }));
    setRestored(false);
  }

  return {
    forms,
    notice,
    progress,
    created,
    isUnsaved: forms.some(hasInput),
    change,
    add,
    remove,
    agreeToAll: (agrees: boolean) => {
      setForms((now) => now.map((form) => ({ ...form, agreeToTerms: agrees })));
      setNotice((now) => forms.reduce((notice, { key }) => withoutFields(notice, key, ['agreeToTerms']), now));
    },
    create,
    /** Input from before a reload was restored. */
    isRestored,
    startOver,
  };
}

type Sent = { done: Map<string, Done>; refused: Map<string, ReturnType<typeof refusalOf>> };

/** One call after the other (specification A§7), until an error that the next call would get as well. */
async function sendInTurn(forms: readonly AccountForm[], onPlace: (place: number) => void): Promise<Sent> {
  const done: Sent['done'] = new Map();
  const refused: Sent['refused'] = new Map();
  for (const [index, form] of forms.entries()) {
    onPlace(index + 1);
    const answer = await api('POST /signup/', { body: payloadOf(form) });
    if (answer.ok) done.set(form.key, createdOf(form));
    else refused.set(form.key, refusalOf(answer));
    if (!answer.ok && stopsTheRun(answer)) break;
  }
  return { done, refused };
}

/** Problems that are found before anything is sent. */
function problemsIn(forms: readonly AccountForm[], passwordMin: number): Pick<Notice, 'messages' | 'errors'> {
  const errors = Object.fromEntries(
    forms
      .map((form) => [form.key, problemsOf(form, passwordMin)] as const)
      .filter(([, own]) => Object.keys(own).length),
  );
  const own = forms.flatMap(({ key }, index) => problemLines(errors[key] ?? {}, placeOf(index, forms)));
  return { messages: [...sharedProblems(forms), ...own], errors };
}

/** Why some were not created, by their current positions. */
function refusalsOf(left: readonly AccountForm[], refused: Sent['refused'], created: number, total: number) {
  const messages = left.flatMap(({ key }, index) =>
    (refused.get(key)?.messages ?? []).map((message) => numbered(message, placeOf(index, left))),
  );
  const summary = created > 0 && left.length > 0 ? [someCreated(created, total)] : [];
  const errors = Object.fromEntries([...refused].map(([key, refusal]) => [key, refusal.errors]));
  return { messages: [...summary, ...messages], errors };
}

/** The server renders it as well, so it must not be random. */
const FIRST_KEY = 'first';

/** Positions are shown if there is more than one form. */
function placeOf(index: number, sent: readonly AccountForm[]): number | null {
  return sent.length > 1 ? index + 1 : null;
}

function createdOf({ key, newOrgName, email, customPath, parent }: AccountForm): Done {
  return {
    key,
    name: newOrgName.trim(),
    detail: email.trim(),
    address: `${parent?.site ?? ''}/${customPath.trim().toLowerCase()}`,
  };
}

/** A field's messages disappear when it changes. */
function withoutFields(notice: Notice, key: string, fields: readonly string[]): Notice {
  const errors = notice.errors[key];
  if (!errors || !fields.some((field) => field in errors)) return notice;
  const left = Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)));
  return { ...notice, errors: { ...notice.errors, [key]: left } };
}

/** Kept for this tab and this user, without passwords. */
function useDraft(userId: number, forms: AccountForm[], restore: (forms: AccountForm[]) => void): void {
  const isRead = useRef(false);
  const bringBack = useEffectEvent(restore);
  useEffect(() => {
    if (isRead.current) return;
    isRead.current = true;
    const draft = readDraft(readFromTab(DRAFT_KEY), userId);
    if (draft) bringBack(draft);
  }, [userId]);
  useEffect(() => storeInTab(DRAFT_KEY, draftOf(userId, forms)), [userId, forms]);
}
