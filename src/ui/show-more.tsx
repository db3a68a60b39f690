import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';

type ShowMoreProps = {
  failure: string | null;
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => Promise<void>;
  label?: string;
};

/** Below a list that is read by key: what went wrong, and the button that reads on. */
export function ShowMore({ failure, hasMore, isLoading, onMore, label = 'Show more' }: ShowMoreProps) {
  return (
    <>
      {failure !== null && (
        <div role="alert">
          <Notice tone="warning">{failure}</Notice>
        </div>
      )}
      {hasMore && (
        <Button
          variant="secondary"
          className="self-center print:hidden"
          busy={isLoading && 'Loading...'}
          onClick={() => void onMore()}
        >
          {label}
        </Button>
      )}
    </>
  );
}
