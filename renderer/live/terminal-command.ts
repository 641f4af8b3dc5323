import { toShellWord } from '../http-text/shell.ts';
import { token } from './backend/session.ts';
import { useConnection } from './connection.ts';

/** A command as it is copied, and as it is shown: without the token that it may have. */
export interface TerminalCommand {
  readonly text: string;
  readonly shown: string;
}

/**
 * Returns a function that completes a command, such as `undo`, so that it finds this emulator from any terminal of this
 * machine: by its data folder unless that is the default one, else by its address and token.
 */
export function useTerminalCommand(): (words: string) => TerminalCommand {
  const connection = useConnection();
  return (words) => {
    const command = `npx sandpiper ${words}`;
    const { dataDir = null, isDefaultDataDir = true } = connection.health ?? {};
    if (isDefaultDataDir) return { text: command, shown: command };
    if (dataDir !== null) {
      const text = `${command} --data ${toShellWord(dataDir)}`;
      return { text, shown: text };
    }
    const link = `${location.origin}/#token=${encodeURIComponent(token.value ?? '')}`;
    // A no-break space: the mark does not stand alone on a line.
    return { text: `${command} --url ${toShellWord(link)}`, shown: `${command} --url\u00a0…` };
  };
}
