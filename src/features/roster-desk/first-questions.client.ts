/** Two questions that are asked once, with the first athletes. Their component is loaded only when they are open. */
import { useState } from 'react';
import type { ConsentSettings } from '#src/features/consent/consent.contract.ts';
import { api, messagesOf } from '#src/web/api-client.ts';

type Answers = Pick<ConsentSettings, 'mode' | 'unknown_consent'>;
const SUGGESTED: Answers = { mode: 'numbers', unknown_consent: 'show' };

/** Whether the questions are open, the answers so far, and a function that saves them. */
export function useFirstQuestions(organizationId: number, isAnswered: boolean) {
  const [isOpen, setOpen] = useState(!isAnswered);
  const [answers, setAnswers] = useState(SUGGESTED);
  /** Returns problems; none when the answers are saved, or were before. */
  async function save(): Promise<string[]> {
    if (!isOpen) return [];
    const answer = await api('PUT /api/v1/affiliates/{id}/roster_settings', {
      params: { id: organizationId },
      body: { settings: answers },
    });
    if (!answer.ok) return messagesOf(answer);
    setOpen(false);
    return [];
  }
  return { isOpen, answers, change: setAnswers, save };
}

export type FirstQuestionsState = ReturnType<typeof useFirstQuestions>;
