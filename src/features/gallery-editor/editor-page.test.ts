/** The server's answer for the editor's page, also if there is nothing to edit. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { GALLERY_NOT_LOADED } from '#src/features/gallery-editor/gallery-editor.contract.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });
let people: Neighborhood;
let galleryId: number;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Cup' });
});

const open = (id: number | string, club = 'hawks', token = people.tokens.owner) =>
  server.call({
    method: 'GET',
    url: `/${club}/gallery/${id}/edit`,
    headers: {
      host: 'lakeside.sideline.localhost:3000',
      cookie: `token=${token}`,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  });

describe('the editor’s page', () => {
  test('of a gallery that exists opens for its owner', async () => {
    const answer = await open(galleryId);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Cup');
  });

  test('of a gallery that is missing, deleted or another club’s leads to /404', async () => {
    const gone = await openGallery(server, people.tokens.owner, people.hawks.id, { name: 'Gone' });
    await server.call({ method: 'POST', url: `/api/v1/galleries/${gone}/inactive`, as: people.tokens.owner });
    for (const answer of [
      await open(7),
      await open('x'),
      await open(gone),
      await open(galleryId, 'tides', people.tokens.parentMember),
    ])
      expect([answer.statusCode, answer.headers.location]).toEqual([302, '/404']);
  });

  test('of a gallery that could not be loaded says so in its list of errors', async () => {
    const broken = vi.spyOn(server.app.galleries, 'answerFor').mockRejectedValue(new Error('the disk is gone'));
    try {
      const answer = await open(galleryId);
      expect(answer.statusCode).toBe(500);
      expect(answer.body).toContain('Please correct the following error(s):');
      expect(answer.body).toContain(GALLERY_NOT_LOADED);
      expect(answer.body).not.toContain('the disk is gone');
    } finally {
      broken.mockRestore();
    }
  });
});
