import { useId } from 'react';
import { BOX } from '#src/ui/form/control-style.ts';

type ChoicesProps<Value extends string> = {
  legend: string;
  options: readonly { value: Value; label: string; hint: string }[];
  chosen: Value;
  /** While a choice is being saved. */
  isBusy?: boolean;
  onChoose: (value: Value) => void;
};

/** Radio buttons, each with a hint. */
export function Choices<Value extends string>({ legend, options, chosen, isBusy, onChoose }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <fieldset aria-busy={isBusy}>
      <legend className="text-base font-bold">{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <div key={value} className="mt-3 flex min-h-11 items-start gap-3">
          <input
            type="radio"
            id={`${id}-${value}`}
            aria-describedby={`${id}-${value}-hint`}
            name={id}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className={BOX}
          />
          <div className="flex flex-col gap-0.5">
            <label htmlFor={`${id}-${value}`} className="text-sm font-semibold">
              {label}
            </label>
            <p id={`${id}-${value}-hint`} className="text-xs text-pretty text-quiet">
              {hint}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
