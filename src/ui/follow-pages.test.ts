// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { followPages } from '#src/ui/follow-pages.ts';

const page = (title: string, more = '') => {
  document.body.innerHTML = `<nav><a href="/">Home</a></nav><main id="main"><h1>${title}</h1>${more}</main>`;
};
const focused = () => document.activeElement?.textContent;

beforeAll(() => {
  page('Before');
  const observer = followPages();
  return () => observer.disconnect();
});
beforeEach(async () => {
  page('Checkout', '<button>Pay</button><ul></ul>');
  await vi.waitUntil(() => focused() === 'Checkout', 15_000);
});

test('the heading of a new page gets the focus that was lost with the page before', async () => {
  document.querySelector('button')?.focus();
  page('Your photos are ready');
  await expect.poll(focused).toBe('Your photos are ready');
});

test('a field that takes the focus keeps it', async () => {
  page('Password', '<input aria-label="Password">');
  document.querySelector('input')?.focus();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement?.tagName).toBe('INPUT');
});

test('what changes within a page moves nothing', async () => {
  document.querySelector('button')?.focus();
  document.querySelector('button')?.remove();
  document.querySelector('ul')?.append('Goal');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(document.body);
});
