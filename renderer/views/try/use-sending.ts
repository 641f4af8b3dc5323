import { shallowRef, type ShallowRef } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { toProblem } from '../../live/reported.ts';
import { call } from '../../live/backend/control.ts';
import type { Draft } from '../../http-text/apply-fix.ts';
import { createTurns } from '../../live/turns.ts';
import { sendDraft } from '../../live/backend/send.ts';

/** Sends requests one after the other, and holds the last answer. */
export interface Sending {
  readonly answer: ShallowRef<RequestView | null>;
  readonly problem: ShallowRef<string | null>;
  readonly busy: ShallowRef<boolean>;
  send(draft: Draft): Promise<RequestView | null>;
  /** Shows no answer: neither the last one nor one that is still to come. */
  reset(): void;
}

/** Sends through the emulator's own API port, where a request is recorded and judged like every other one. */
export function createSending(): Sending {
  const answer = shallowRef<RequestView | null>(null);
  const problem = shallowRef<string | null>(null);
  const busy = shallowRef(false);
  const turns = createTurns();
  const show = (came: RequestView | null, says: string | null): void => {
    [answer.value, problem.value, busy.value] = [came, says, false];
  };

  return {
    answer,
    problem,
    busy,
    async send(draft) {
      busy.value = true;
      const isWanted = turns.take();
      try {
        const { requestId } = await sendDraft(draft);
        if (requestId === null)
          throw new Error('The request was not recorded, so its answer is not known. Send it again.');
        const came = await call('GET /control/requests/{id}', { params: { id: requestId } });
        if (isWanted()) show(came, null);
        return came;
      } catch (error) {
        if (isWanted()) show(null, toProblem(error));
        return null;
      }
    },
    reset() {
      turns.skip();
      show(null, null);
    },
  };
}
