import { computed, type ComputedRef } from 'vue';
import { useConnection } from '../../live/connection.ts';
import { sendDraft } from '../../live/backend/send.ts';
import { useReported } from '../../live/reported.ts';
import { firstRequest } from './snippets.ts';

export type FirstRequest = ReturnType<typeof useFirstRequest>;

/** The request of the snippets, and everything needed to send it from the window. */
export function useFirstRequest() {
  const connection = useConnection();
  const { run, problem, busy } = useReported();
  /** The first key of the demo data; null if there is none. */
  const key: ComputedRef<string | null> = computed(() => connection.welcome?.demoKeys[0]?.key ?? null);

  /** Sends the request, or one with another phone. Returns the id of the recorded request; null if it was not sent. */
  async function send(phone: string = firstRequest.body.user.phone): Promise<string | null> {
    const bearer = key.value;
    if (bearer === null || busy.value) return null;
    let sent: string | null = null;
    await run(
      ({ status }) => `Sent: ${firstRequest.method} /subscriptions answered ${status ?? 'nothing'}`,
      async () => {
        const answer = await sendDraft({
          method: firstRequest.method,
          url: firstRequest.path,
          headers: [
            ['authorization', `Bearer ${bearer}`],
            ['content-type', 'application/json'],
          ],
          body: { encoding: 'utf8', data: JSON.stringify({ ...firstRequest.body, user: { phone } }) },
        });
        sent = answer.requestId;
        return answer;
      },
    );
    return sent;
  }

  return { send, problem, busy, key };
}
