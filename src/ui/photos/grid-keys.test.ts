// @vitest-environment happy-dom
import { expect, onTestFinished, test } from 'vitest';
import { followKeys } from '#src/ui/photos/grid-keys.ts';

test('a letter that likes a photo says so, while the focus stays on the photo', async () => {
  document.body.innerHTML = `<ul><li class="photo-tile"><a href="/1">Huddle</a>
    <button data-key="l" aria-pressed="false" aria-label="Like Huddle, 3 likes"></button></li></ul>`;
  const [list, link, button] = [...document.querySelectorAll<HTMLElement>('ul, a, button')];
  if (!list || !link || !button) throw new Error('the grid is missing');
  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') === 'false';
    button.setAttribute('aria-pressed', String(isOn));
    button.setAttribute('aria-label', `Like Huddle, ${isOn ? 4 : 3} likes`);
  });
  onTestFinished(followKeys(list, []));
  link.focus();
  const spoken = () => document.querySelector('[role="status"]')?.textContent;
  const press = () => list.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));
  press();
  await expect.poll(spoken).toBe('Like Huddle, 4 likes: on');
  press();
  await expect.poll(spoken).toBe('Like Huddle, 3 likes: off');
  expect(document.activeElement).toBe(link);
});
