import type { UndoableView } from '../control/protocol.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';

/** `sandpiper undo [--list]`: takes the newest change made by hand back, and says what that was. */
export async function undo({ list, ...options }: ConnectOptions & { readonly list?: boolean }): Promise<void> {
  const client = connect(options);
  if (list) {
    const { acts } = await client.get<{ readonly acts: readonly UndoableView[] }>('/control/undo');
    const lines = acts.map(({ at, says, takesBack }) => `${toSeconds(at)}  ${says}${sayReach(takesBack)}`);
    return print(options, acts, lines.join('\n') || 'There is nothing to undo.');
  }
  const answer = await client.post<{ readonly undone: string } & Pick<UndoableView, 'takesBack'>>('/control/undo');
  print(options, answer, `Taken back: ${answer.undone}${sayReach(answer.takesBack)}`);
}

function sayReach(takesBack: UndoableView['takesBack']): string {
  return takesBack === 'everything' ? ' With it, everything that happened since.' : '';
}

/** `sandpiper reset`: back to the demo world, or to nothing, in real time. */
export async function reset({ empty, ...options }: ConnectOptions & { readonly empty?: boolean }): Promise<void> {
  const world = empty ? 'empty' : 'demo';
  await connect(options).post('/control/reset', { world });
  const says = empty ? 'Nothing is stored' : 'The demo world is back';
  print(options, { world }, `${says}, and the clock shows real time. "sandpiper undo" takes that back.`);
}
