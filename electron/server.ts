import type { Emulator } from '../emulator/start-emulator.ts';
import type { EmulatorOptions } from '../emulator/options.ts';

/** The addresses of a running emulator, and the token of its page. */
export type Addresses = Pick<Emulator, 'apiUrl' | 'authUrl' | 'inspectorUrl' | 'token' | 'dataDir'>;

/** The emulator of this window. It may stop and start again; the window stays. */
export interface Server {
  /** The addresses of the running emulator, or of the last one; null before the first start. */
  addresses(): Addresses | null;
  isRunning(): boolean;
  /**
   * @param ports `free` uses any free ports instead of the configured ones
   * @throws the emulator's own error, whose message says what to do
   */
  start(ports?: 'free'): Promise<void>;
  /** Stops the emulator after everything is written. */
  stop(): Promise<void>;
  /** @returns why it did not start; null if it did */
  restart(): Promise<string | null>;
  /** Stops the rest of the emulator after an internal error. */
  fail(error: unknown): Promise<void>;
}

/**
 * @param onChange called after the emulator started or stopped
 * @param say called with errors
 */
export function createServer({
  startEmulator,
  options,
  onChange,
  say,
}: {
  readonly startEmulator: (options: EmulatorOptions) => Promise<Emulator>;
  readonly options: EmulatorOptions;
  readonly onChange: () => void;
  readonly say: (line: string) => void;
}): Server {
  let emulator: Emulator | null = null;
  let known: Addresses | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs one act after the other: two requested restarts run in sequence, never in parallel. */
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const next = turn.then(act);
    turn = next.catch(() => {});
    return next;
  }

  async function start(ports?: 'free'): Promise<void> {
    if (emulator) return;
    // Origin and token stay those of the first start, so that the page reconnects by itself and misses nothing.
    const again = known && {
      token: known.token,
      port: portOf(known.authUrl),
      inspectorPort: portOf(known.inspectorUrl),
    };
    const anyPorts = ports === 'free' ? { port: 0, inspectorPort: 0 } : {};
    emulator = await startEmulator({ ...options, ...again, ...anyPorts });
    const { apiUrl, authUrl, inspectorUrl, token, dataDir } = emulator;
    known = { apiUrl, authUrl, inspectorUrl, token, dataDir };
    onChange();
  }

  async function stop(): Promise<void> {
    const ending = emulator;
    emulator = null;
    try {
      await ending?.close();
    } finally {
      if (ending) onChange();
    }
  }

  return {
    addresses: () => known,
    isRunning: () => emulator !== null,
    start: (ports) => inTurn(() => start(ports)),
    stop: () => inTurn(stop),
    restart: () =>
      inTurn(async () => {
        try {
          await stop();
          await start();
          return null;
        } catch (error) {
          return toMessage(error);
        }
      }),
    fail: (error) => {
      say(`The server stopped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return inTurn(async () => {
        try {
          await stop();
        } catch (later) {
          say(`It could not stop cleanly: ${toMessage(later)}`);
        }
      });
    },
  };
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
