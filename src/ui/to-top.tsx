import { useEffect, useRef, useState } from 'react';
import { ChevronUp } from '#src/ui/icon.tsx';

/** A button back to the top of a long page, from two screens down. Floats over the page, so that nothing moves. */
export function ToTop() {
  const mark = useRef<HTMLDivElement>(null);
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    if (!mark.current) return;
    const observer = new IntersectionObserver((entries) => setFar(entries.at(-1)?.isIntersecting === false), {
      rootMargin: '200% 0px 0px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div ref={mark} className="absolute top-0" />
      {isFar && (
        <button
          type="button"
          aria-label="Back to top"
          onClick={() => {
            window.scrollTo({ top: 0, behavior: 'smooth' });
            document.getElementById('main')?.focus({ preventScroll: true });
          }}
          className="fixed bottom-20 left-3 z-20 grid size-11 place-items-center rounded-full border border-line bg-surface text-ink shadow-[0_4px_16px_rgb(11_12_14/0.2)] sm:bottom-5"
        >
          <ChevronUp aria-hidden="true" className="size-5" />
        </button>
      )}
    </>
  );
}
