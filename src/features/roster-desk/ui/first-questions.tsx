/**
 * Two questions, asked once with the first athletes: who can find a child, and what `unknown` means (athletes B.5, B.6). Later
 * they are in the settings.
 */
import { useState } from 'react';
import * as words from '#src/features/consent/consent.contract.ts';
import type { Mode } from '#src/features/consent/consent.contract.ts';
import { Choices } from '#src/ui/form/choices.tsx';
import type { FirstQuestionsState } from '#src/features/roster-desk/first-questions.client.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';

export function FirstQuestions({ answers, change }: Pick<FirstQuestionsState, 'answers' | 'change'>) {
  const choose = (mode: Mode) => change({ mode, unknown_consent: words.PRESETS[mode] });
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Choices
        legend={words.MODE_QUESTION}
        options={words.MODES.map((value) => ({ value, ...words.MODE_LABELS[value] }))}
        chosen={answers.mode}
        onChoose={choose}
      />
      <Choices
        legend={words.UNKNOWN_QUESTION}
        options={words.UNKNOWN_CONSENTS.map((value) => ({ value, ...words.UNKNOWN_LABELS[value] }))}
        chosen={answers.unknown_consent}
        onChoose={(chosen) => change({ ...answers, unknown_consent: chosen })}
      />
      <p className="text-xs text-quiet md:col-span-2">{words.CHANGE_LATER}</p>
    </div>
  );
}

/** On the roster, for members who typed their first athletes. */
export function FirstQuestionsCard({ questions }: { questions: FirstQuestionsState }) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    setProblems(await questions.save());
    setBusy(false);
  }
  return (
    <Card className="flex flex-col gap-4 p-5">
      <ErrorList messages={problems} heading="This was not saved:" />
      <FirstQuestions {...questions} />
      <Button variant="secondary" className="self-start" busy={isBusy && 'Saving...'} onClick={() => void save()}>
        Save
      </Button>
    </Card>
  );
}
