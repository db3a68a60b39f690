import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#src/features/contributors/contributors.contract.ts';
import type { ContributorService } from '#src/features/contributors/contributors.service.ts';
import { call, routes } from '#src/http/call.ts';
import { BAD_PLACE } from '#src/shared/paging.ts';
import { setVisitorCookie } from '#src/http/cookies.ts';
import { idSchema } from '#src/shared/validators.ts';

const BY_KEY = { who: 'anyone', why: 'the contribute key opens it, and only uploads made with it are taken' } as const;

const OWN = {
  who: 'anyone',
  why: 'only contributions of this browser’s signed cookie or of a personal key are listed and withdrawn',
} as const;
const ofGallery = { gallery_id: idSchema };

const EXAMPLE = {
  contributeKey: 'q7Jx0uVbT2mYd9LkR4sWcA',
  photos: [{ key: 'uploads/3/42/0f1e2d3c4b5a69788796a5b4c3d2e1f0.jpg', name: 'IMG_0042.jpg' }],
  name: 'Ana Silva',
  email: 'ana@families.example',
};

/** `GET /api/v1/check-key`, `POST /api/v1/contributor`, and what contributors may do with their own photos. */
export const contributorRoutes = routes(
  async (
    server,
    contributors: ContributorService,
    { newVisitor }: { newVisitor: () => { visitorId: string; cookie: string } },
  ) => {
    server.addHook(
      'onRequest',
      async (_request, reply) =>
        void reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer'),
    );

    server.get(
      '/api/v1/check-key',
      call(BY_KEY, 'The gallery of a contribute key', {
        querystring: z.object({ contributeKey: z.optional(z.string()) }),
        response: { 200: contract.checkKeyAnswer },
      }),
      async (request) => contributors.checkKey(request.caller, request.query.contributeKey ?? ''),
    );

    server.post(
      '/api/v1/contributor',
      {
        config: { access: BY_KEY, example: EXAMPLE },
        bodyLimit: contract.CONTRIBUTION_BODY_BYTES,
        schema: {
          summary: 'Send photos with a contribute key',
          body: contract.contributionBody,
          response: { 200: contract.contributionAnswer },
        },
      },
      async (request, reply) => {
        const known = request.caller.visitorId;
        const visitor = known === null ? newVisitor() : { visitorId: known, cookie: null };
        const accepted = await contributors.contribute(request.caller, request.body, visitor.visitorId);
        // Only after success: a refusal creates no identity.
        if (visitor.cookie !== null) setVisitorCookie(request, reply, visitor.cookie);
        return { accepted };
      },
    );

    await server.register(ownPhotoRoutes(contributors));
  },
);

/** What contributors may do with their own photos. */
const ownPhotoRoutes = routes((server, contributors: ContributorService) => {
  server.get(
    '/api/v1/contributor/photos',
    call(OWN, 'This contributor’s photos in a gallery; a personal key goes in X-Contribute-Key', {
      querystring: z.object({ ...ofGallery, after: z.optional(z.string().check(z.maxLength(500, BAD_PLACE))) }),
      response: { 200: contract.ownPhotosPage },
    }),
    async (request) =>
      contributors.ownPhotos(request.caller, request.query.gallery_id, {
        key: keyOf(request),
        after: request.query.after,
      }),
  );

  server.put(
    '/api/v1/contributor/photos/:photoId/numbers',
    call(
      OWN,
      'Set the jersey numbers on your own photo, while it waits; a personal key goes in X-Contribute-Key',
      {
        params: z.object({ photoId: idSchema }),
        querystring: z.object(ofGallery),
        body: contract.ownNumbers,
        response: { 200: contract.ownNumbersAnswer },
      },
      { numbers: ['10', '7'] },
    ),
    async (request) =>
      contributors.setNumbers(
        request.caller,
        { galleryId: request.query.gallery_id, photoId: request.params.photoId },
        { key: keyOf(request), numbers: request.body.numbers },
      ),
  );

  server.delete(
    '/api/v1/contributor/photos/:photoId',
    call(OWN, 'Withdraw your own contribution; a personal key goes in X-Contribute-Key', {
      params: z.object({ photoId: idSchema }),
      querystring: z.object(ofGallery),
      response: { 200: contract.withdrawnAnswer },
    }),
    async (request) =>
      contributors.withdraw(
        request.caller,
        { galleryId: request.query.gallery_id, photoId: request.params.photoId },
        keyOf(request),
      ),
  );
});

function keyOf(request: FastifyRequest): string | null {
  const [key] = [request.headers['x-contribute-key']].flat();
  return key === undefined || key === '' ? null : key;
}
