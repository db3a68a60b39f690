import { useCallback, type ReactNode } from 'react';

/** The heading of a step. It gets the focus if the button that led here is gone with the step before. */
export function StepHeading({ children }: { children: ReactNode }) {
  const focus = useCallback((heading: HTMLElement | null) => {
    if (document.activeElement === document.body) heading?.focus();
  }, []);
  return (
    <h2 ref={focus} tabIndex={-1} className="text-lg break-words">
      {children}
    </h2>
  );
}
