import { toPrintable } from '../contract/printable.ts';
import { checkAllowedHosts } from '../net/listen.ts';
import { defaultOptions } from '../options.ts';
import { startEmulator, type Emulator } from '../start-emulator.ts';
import { explained } from './apply-config.ts';
import type { ChosenOptions } from './chosen-options.ts';
import { uiDir } from './ui-dir.ts';

/**
 * Starts the emulator of a command with its inspector, and prints its notices on standard error.
 * @throws ConfigError for options, a world or a seed with a mistake; UserError or StoreError if the system refuses a
 * port or a folder
 */
export function startChosen(options: ChosenOptions, workerUrl: URL): Promise<Emulator> {
  return explained(async () => {
    checkAllowedHosts(options.allowHosts);
    return startEmulator({
      ...defaultOptions,
      ...options,
      workerUrl,
      uiDir: uiDir(),
      editorFolder: process.cwd(),
      // Line breaks are kept: an internal error has the lines of its stack.
      onNotice: (text) => process.stderr.write(`${toPrintable(text)}\n`),
    });
  });
}
