import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { Button } from '#src/ui/button.tsx';

/** The order loads on on its own; after a failure it waits to be asked. */
export function RestOfPhotos({ pages }: { pages: Pick<EditorPhotos, 'problem' | 'retry'> }) {
  if (pages.problem === null) return null;
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-center">
      <p role="alert" className="text-sm text-quiet">
        {pages.problem}
      </p>
      <Button variant="secondary" onClick={pages.retry}>
        Try again
      </Button>
    </div>
  );
}
