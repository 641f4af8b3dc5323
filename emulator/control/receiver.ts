import type { Received, ReceiverState } from '../delivery/receiver.ts';
import type { Swap, UndoCode } from '../world/edits.ts';
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
      const code = codeOf(before, receiver.state(), forgotten);
      if (code) editSetting(code, words[code], takingBack(before, forgotten));
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

const words = {
  'receiver.started': 'The built-in receiver was started.',
  'receiver.changed': 'How the built-in receiver answers was changed.',
  'receiver.cleared': 'What the built-in receiver had received was cleared.',
} as const satisfies { readonly [Code in UndoCode]?: string };

/** The kind of edit that a start made: the receiver may have been running already. Null if nothing changed. */
function codeOf(
  before: ReceiverState,
  after: ReceiverState,
  forgotten: readonly Received[],
): keyof typeof words | null {
  if (before.port === null) return 'receiver.started';
  if (JSON.stringify(before.behaviour) !== JSON.stringify(after.behaviour)) return 'receiver.changed';
  return forgotten.length > 0 ? 'receiver.cleared' : null;
}
