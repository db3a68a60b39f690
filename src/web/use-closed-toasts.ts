import { useEffect } from 'react';
import { closeToast, toastStore } from '#src/ui/toast.ts';

/**
 * Closes the previous page's messages, except errors and those with an action: on a phone they would cover the button of a
 * short form.
 */
export function useClosedToasts(): void {
  useEffect(() => {
    for (const { id, action, tone } of toastStore.read()) if (action === null && tone !== 'error') closeToast(id);
  }, []);
}
