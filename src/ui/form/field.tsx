import { useId, type ReactNode } from 'react';
import { CircleAlert } from '#src/ui/icon.tsx';

export type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** Every problem of this field, in the contract's words. */
  errors?: readonly string[] | undefined;
  /** Marked as wrong although the message is shown elsewhere. */
  isMarked?: boolean | undefined;
  /** Shown with a star; the contract checks that it is filled. */
  required?: boolean | undefined;
};

/** The attributes that the control inside a field needs. */
type FieldControl = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

/** Label above, hint and errors below, connected to the control for screen readers. */
export function Field({
  label,
  hint,
  errors = [],
  isMarked = false,
  required = false,
  children,
}: FieldProps & { children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const invalid = errors.length > 0;
  const describedBy = [hint ? hintId : '', invalid ? errorId : ''].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': invalid || isMarked || undefined })}
      {hint && (
        <p id={hintId} className="text-xs text-pretty text-quiet">
          {hint}
        </p>
      )}
      {invalid && (
        <ul id={errorId} className="flex flex-col gap-1 text-xs font-semibold text-danger">
          {errors.map((message) => (
            <li key={message} className="flex gap-1.5">
              <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
