import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Link2, Users } from '#src/ui/icon.tsx';

/** A parent's first step: its organizations sign up on its site. */
export function FirstOrganization({ signUpAddress }: { signUpAddress: string }) {
  return (
    <EmptyState
      icon={<Users />}
      title="No organizations yet"
      action={
        <Button onClick={() => void copyText(signUpAddress)}>
          <Link2 aria-hidden="true" />
          Copy sign-up link
        </Button>
      }
    >
      Send your teams and clubs this link. They sign up on their own, and their sales appear here:{' '}
      <a href={signUpAddress} className="font-semibold wrap-anywhere text-accent-text underline">
        {signUpAddress.replace(/^https?:\/\//, '')}
      </a>
    </EmptyState>
  );
}
