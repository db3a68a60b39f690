import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';

/** Says that a reload restored the input, and what it could not keep. */
export function DraftNotice({ without, onStartOver }: { without: string; onStartOver: () => void }) {
  // This notice disappears together with its button.
  function startOver(): void {
    onStartOver();
    document.getElementById('main')?.focus();
  }
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <p className="min-w-0">We restored what you typed before. {without}</p>
        <Button type="button" variant="secondary" size="small" onClick={startOver}>
          Start over
        </Button>
      </div>
    </Notice>
  );
}
