import { dialog } from 'electron';
import { toMessage } from './server.ts';

/** What a person wants to do if the emulator does not start. */
export type Choice = 'try-again' | 'free-ports' | 'quit';

/** Shows the emulator's own message, which names the problem, and asks. @param error what the start threw */
export async function askAfterFailedStart(error: unknown): Promise<Choice> {
  // For a busy or forbidden port only: other ports do not free a data folder that is in use.
  const choices: readonly (readonly [Choice, string])[] = [
    ...((error as { readonly code?: unknown }).code === 'port-refused'
      ? ([['free-ports', 'Use Free Ports']] as const)
      : []),
    ['try-again', 'Try Again'],
    ['quit', 'Quit'],
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Sandpiper',
    message: 'The server did not start.',
    detail: toMessage(error),
    buttons: choices.map(([, label]) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
    noLink: true,
  });
  return choices[response]?.[0] ?? 'quit';
}
