import { useEffect, useEffectEvent, type RefObject } from 'react';

/** A finger must travel this far; less is a press. */
const FAR_PX = 48;

/**
 * Swipes with one finger over an element. The child marked `data-slide` follows the finger. A page that is
 * zoomed in is being looked at, not turned.
 */
export function useSwipe(
  element: RefObject<HTMLElement | null>,
  { onLeft, onRight }: { onLeft: () => void; onRight: () => void },
): void {
  const swiped = useEffectEvent((dx: number) => (dx < 0 ? onLeft() : onRight()));
  useEffect(() => {
    const area = element.current;
    if (!area) return;
    let start: { x: number; y: number } | null = null;
    const slide = () => area.querySelector<HTMLElement>('[data-slide]');
    const follow = (dx: number) => {
      const moved = slide();
      if (moved) moved.style.translate = dx === 0 ? '' : `${dx}px`;
    };
    const travelled = (touch: Touch | undefined) => (start && touch ? touch.clientX - start.x : 0);
    const onStart = (event: TouchEvent) => {
      const touch = event.touches[0];
      const zoomed = (window.visualViewport?.scale ?? 1) > 1.05;
      start = touch && event.touches.length === 1 && !zoomed ? { x: touch.clientX, y: touch.clientY } : null;
      if (start === null) follow(0);
    };
    const onMove = (event: TouchEvent) => follow(travelled(event.touches[0]));
    const onEnd = (event: TouchEvent) => {
      const dx = travelled(event.changedTouches[0]);
      start = null;
      follow(0);
      if (Math.abs(dx) < FAR_PX) return;
      // The press that would follow is not meant for the link beneath.
      if (event.cancelable) event.preventDefault();
      swiped(dx);
    };
    const onCancel = () => {
      start = null;
      follow(0);
    };
    area.addEventListener('touchstart', onStart, { passive: true });
    area.addEventListener('touchmove', onMove, { passive: true });
    area.addEventListener('touchend', onEnd);
    area.addEventListener('touchcancel', onCancel);
    return () => {
      area.removeEventListener('touchstart', onStart);
      area.removeEventListener('touchmove', onMove);
      area.removeEventListener('touchend', onEnd);
      area.removeEventListener('touchcancel', onCancel);
    };
  }, [element]);
}
