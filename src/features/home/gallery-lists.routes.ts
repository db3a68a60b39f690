import * as z from 'zod/mini';
import {
  GALLERIES_PER_PAGE,
  MAX_GALLERIES_PER_PAGE,
  pagedGallery,
} from '#src/features/galleries/galleries.contract.ts';
import type { GalleryListService } from '#src/features/home/gallery-lists.service.ts';
import { call, privateRoutes } from '#src/http/call.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idParams } from '#src/shared/validators.ts';

const MEMBERS = { who: 'session', scope: 'galleries:read' } as const;
const MAX_PAGE = 1_000_000_000;

export const galleryListRoutes = privateRoutes((server, galleries: Pick<GalleryListService, 'pageOfAffiliate'>) => {
  server.get(
    '/api/v1/affiliates/:id/galleries',
    call(MEMBERS, 'Galleries of an affiliate, page by page, for its members', {
      params: idParams,
      querystring: z.object({
        page: z.optional(countUpTo(MAX_PAGE)),
        perPage: z.optional(countUpTo(MAX_GALLERIES_PER_PAGE)),
      }),
      response: { 200: z.array(pagedGallery) },
    }),
    async (request) => {
      const { page = 1, perPage = GALLERIES_PER_PAGE } = request.query;
      return galleries.pageOfAffiliate(request.caller, request.params.id, { page, perPage });
    },
  );
});
