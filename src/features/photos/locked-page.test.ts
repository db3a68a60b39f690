/** The page of a gallery behind a password, with a position that we did not write. */
import { expect, test } from 'vitest';
import { VISITOR } from '#src/features/tenancy/actor.rules.ts';
import { openGallery, settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

test('a locked gallery asks for its password also at a position that is not valid; an open one refuses it', async () => {
  const { tokens, hawks } = await settleNeighborhood(server);
  const openAt = (id: number) => server.app.photos.open(VISITOR, id, { after: 'x', asVisitor: true });
  const locked = await openGallery(server, tokens.owner, hawks.id, { password_required: true, password: 'x1' });
  expect(await openAt(locked)).toMatchObject({ view: { locked: true }, page: { photos: [], total: 0 } });
  const open = await openGallery(server, tokens.owner, hawks.id);
  await expect(openAt(open)).rejects.toMatchObject({ code: 'invalid' });
});
