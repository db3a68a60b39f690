/** Renders a component without a browser (happy-dom), for tests of a screen's states. */
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { onTestFinished } from 'vitest';
// Dialogs load it when they open; a test may have answered before, which no person does.
import '#src/ui/focus-nearby.ts';

/** The component with a router around it, and a user who types and clicks; removed when the test has ended. */
export function show(component: ReactNode) {
  onTestFinished(cleanup);
  const user = userEvent.setup();
  const shown = render(<MemoryRouter>{component}</MemoryRouter>);
  return { user, ...shown };
}
