import type { DeliveryView, ReachView } from '../../emulator/control/calls.ts';
import { toShortUrl } from '../http-text/short-url.ts';
import { call } from '../live/backend/control.ts';
import { useServerUndo, type Reported } from '../live/reported.ts';

/** Gives the webhook of a refused delivery this reach, and sends the delivery again. Undo reverts the permission. */
export function allowReach(
  { run }: Pick<Reported, 'run'>,
  { id, url, webhookId }: Pick<DeliveryView, 'id' | 'url' | 'webhookId'>,
  reach: ReachView,
): Promise<boolean> {
  const server = useServerUndo();
  return run(
    `Allowed ${toShortUrl(url)}, and sent it again`,
    async () => {
      await server.call('POST /control/webhooks/{id}', { params: { id: webhookId ?? '' }, body: { reach } });
      await call('POST /control/deliveries/{id}/redeliver', { params: { id } });
    },
    {
      undo: server.undo,
      half: () => (server.isNeeded() ? `Allowed ${toShortUrl(url)}, but it was not sent again` : null),
    },
  );
}
