import { inThousands } from '../contract/digits.ts';
import type { ReceiverBehaviour } from '../delivery/shapes.ts';
import type { Received, ReceiverState } from '../delivery/receiver.ts';
import type { Done, Swap } from '../world/edits.ts';
import type { receiverCalls } from './contract/receiver.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers of the built-in receiver of webhooks. */
export function createReceiverHandlers({
  receiver,
  undo: { editSetting },
  feed,
}: HandlerDeps): Handlers<typeof receiverCalls> {
  const tell = (): void => feed.publish({ type: 'changes', changes: [{ collection: 'receiver', id: 'receiver' }] });
  /** Goes back to a state, and restores what the receiver forgot on the way from there. */
  const takingBack = (to: ReceiverState, forgotten: readonly Received[]): Swap => {
    return async () => {
      const from = receiver.state();
      await receiver.become(to);
      receiver.recall(forgotten);
      tell();
      return doingAgain(from, forgotten);
    };
  };
  const doingAgain = (to: ReceiverState, forgotten: readonly Received[]): Swap => {
    return async () => {
      const from = receiver.state();
      await receiver.become(to);
      receiver.forget(forgotten);
      tell();
      return takingBack(from, forgotten);
    };
  };

  return {
    'GET /control/receiver': () => receiver.view(),
    async 'POST /control/receiver'({ body: { forget = false, ...behaviour } }) {
      const before = receiver.state();
      const forgotten = forget ? receiver.forget() : [];
      await receiver.start(behaviour);
      tell();
      const edit = editOf(before, receiver.state(), forgotten);
      if (edit) editSetting(edit.code, edit.says, takingBack(before, forgotten));
      return receiver.view();
    },
    async 'DELETE /control/receiver'() {
      const before = receiver.state();
      const forgotten = receiver.forget();
      await receiver.stop();
      tell();
      if (before.port !== null)
        editSetting('receiver.stopped', 'The built-in receiver was stopped.', takingBack(before, forgotten));
      return null;
    },
  };
}

/** The edit that a start made: the receiver may have been running already. Null if nothing changed. */
function editOf(before: ReceiverState, after: ReceiverState, forgotten: readonly Received[]): Done | null {
  if (before.port === null) return { code: 'receiver.started', says: 'The built-in receiver was started.' };
  if (JSON.stringify(before.behaviour) !== JSON.stringify(after.behaviour))
    return { code: 'receiver.changed', says: `The built-in receiver was set to ${sayAnswer(after.behaviour)}.` };
  if (forgotten.length === 0) return null;
  return { code: 'receiver.cleared', says: 'What the built-in receiver had received was cleared.' };
}

function sayAnswer({ connection, status, delayMs, echo }: ReceiverBehaviour): string {
  if (connection === 'refused') return 'refuse connections';
  const after = delayMs > 0 ? ` after ${inThousands(delayMs)} ms` : '';
  return connection === 'reset'
    ? `close connections${after}`
    : `answer ${status}${after}${echo ? '' : ' without a body'}`;
}
