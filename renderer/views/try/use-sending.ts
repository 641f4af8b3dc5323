import { shallowRef, type ShallowRef } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { toProblem } from '../../live/reported.ts';
import { call } from '../../live/backend/control.ts';
import type { Draft } from '../../http-text/apply-fix.ts';
import { sendDraft } from '../../live/backend/send.ts';

/** Sending requests one after the other, with what came back of the last. */
export interface Sending {
  readonly answer: ShallowRef<RequestView | null>;
  readonly problem: ShallowRef<string | null>;
  readonly busy: ShallowRef<boolean>;
  send(draft: Draft): Promise<RequestView | null>;
}

/** Through the emulator's own API port: recorded and judged as every other request. */
export function createSending(): Sending {
  const answer = shallowRef<RequestView | null>(null);
  const problem = shallowRef<string | null>(null);
  const busy = shallowRef(false);
  return {
    answer,
    problem,
    busy,
    async send(draft) {
      busy.value = true;
      try {
        const { requestId } = await sendDraft(draft);
        if (requestId === null)
          throw new Error('The request was not recorded, so its answer is not known. Send it again.');
        answer.value = await call('GET /control/requests/{id}', { params: { id: requestId } });
        problem.value = null;
        return answer.value;
      } catch (error) {
        answer.value = null;
        problem.value = toProblem(error);
        return null;
      } finally {
        busy.value = false;
      }
    },
  };
}
