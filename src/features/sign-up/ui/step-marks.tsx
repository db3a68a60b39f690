/** Where one is on a form of several steps. */
import { cx } from '#src/ui/cx.ts';
import { Check } from '#src/ui/icon.tsx';

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
