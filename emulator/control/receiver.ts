import type { Receiver } from '../delivery/receiver.ts';
import type { receiverCalls } from './contract/receiver.ts';
import type { Handlers } from './route.ts';

/** The built-in receiver of webhooks. */
export function createReceiverHandlers({ receiver }: { readonly receiver: Receiver }): Handlers<typeof receiverCalls> {
  return {
    'GET /control/receiver': () => receiver.view(),
    'POST /control/receiver'({ body: { forget = false, ...behaviour } }) {
      if (forget) receiver.forget();
      return receiver.start(behaviour);
    },
    async 'DELETE /control/receiver'() {
      receiver.forget();
      await receiver.stop();
      return null;
    },
  };
}
