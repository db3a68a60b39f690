/** Keywords that one member adds while another removes them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import * as photoWritesSql from '#src/features/photos/photo-writes.sql.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

test('a keyword is deleted while it is added to many photos', async () => {
  const organizationId = people.hawks.id;
  const galleryId = await openGallery(server, people.tokens.owner, organizationId);
  const photoId = await addReadyPhoto(server, { id: galleryId, organizationId }, { shown: true });
  const scope = { kind: 'tenants', organizationIds: [organizationId] } as const;
  await server.platform.database.write(scope, (tx) =>
    photoWritesSql.insertKeywords(tx, { photoId, galleryId, organizationId }, ['goal']),
  );
  const [keyword] = await server.data.ownerQuery<{ id: number }>('select id from photo_keywords where photo_id = $1', [
    photoId,
  ]);
  const isLocked = Promise.withResolvers<void>();
  const adding = server.platform.database.write(scope, async (tx) => {
    const ids = await photoWritesSql.lockPhotos(tx, galleryId, [photoId]);
    isLocked.resolve();
    await sleep(300);
    return photoWritesSql.addKeywordsToAll(tx, { galleryId, organizationId, ids }, ['goal'], 50);
  });
  await isLocked.promise;
  const deleting = server.call({
    method: 'DELETE',
    url: `/api/v1/galleries/${galleryId}/delete_keyword?photo_id=${photoId}&keyword_id=${keyword?.id}`,
    as: people.tokens.owner,
  });
  const [isAdded, answer] = await Promise.all([adding, deleting]);
  expect([isAdded, answer.statusCode]).toEqual([true, 204]);
});
