/** The outcome of a request: green when it went well, red when not (specification P§4, "Password reset messaging"). */
import { CircleAlert, CircleCheck } from '#src/ui/icon.tsx';

export type Outcome = { tone: 'success' | 'error'; messages: readonly string[] };

export function FormStatus({ outcome }: { outcome: Outcome | null }) {
  return (
    <>
      {outcome?.tone === 'success' && (
        <p
          role="status"
          className="flex gap-3 rounded border border-success bg-success-tint p-4 text-sm font-semibold text-success"
        >
          <CircleCheck aria-hidden="true" className="mt-px size-5 shrink-0" />
          <span>{outcome.messages.join(' ')}</span>
        </p>
      )}
      {outcome?.tone === 'error' && (
        <div
          role="alert"
          className="flex gap-3 rounded border border-danger bg-danger-tint p-4 text-sm font-semibold text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-px size-5 shrink-0" />
          <ul className="flex min-w-0 flex-col gap-1">
            {outcome.messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
