import { CARD_FILE_NAME, qrCardQuery } from '#src/features/sharing/qr-card.contract.ts';
import type { QrCardService } from '#src/features/sharing/qr-card.service.ts';
import { privateRoutes } from '#src/http/call.ts';
import { sendPdf } from '#src/http/send-download.ts';
import { idParams } from '#src/shared/validators.ts';

/** `GET /api/v1/galleries/{id}/qr-card.pdf?for=gallery|unlock|contribute`: a page to print, for members. */
export const qrCardRoutes = privateRoutes((server, cards: QrCardService) => {
  server.get(
    '/api/v1/galleries/:id/qr-card.pdf',
    {
      exposeHeadRoute: false,
      config: { access: { who: 'session', scope: 'galleries:read' } },
      schema: {
        summary: 'A printable page (PDF) with the QR code of a gallery',
        params: idParams,
        querystring: qrCardQuery,
      },
    },
    async (request, reply) => {
      const { for: purpose } = request.query;
      const card = await cards.card(request.caller, request.params.id, purpose);
      return sendPdf(reply, `${CARD_FILE_NAME}-${purpose}`, card);
    },
  );
});
