import { dialog } from 'electron';

/** What a person wants where the emulator does not start. */
export type Choice = 'try-again' | 'free-ports' | 'quit';

/** Asks, with the emulator's own sentence, which says what is in the way. */
export async function askAfterFailedStart(message: string): Promise<Choice> {
  // Of a busy or forbidden port; a data folder in use is not helped by others.
  const choices: readonly (readonly [Choice, string])[] = [
    ...(message.startsWith('Port ') ? ([['free-ports', 'Use Free Ports']] as const) : []),
    ['try-again', 'Try Again'],
    ['quit', 'Quit'],
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Sandpiper',
    message: 'The server did not start.',
    detail: message,
    buttons: choices.map(([, label]) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
    noLink: true,
  });
  return choices[response]?.[0] ?? 'quit';
}
