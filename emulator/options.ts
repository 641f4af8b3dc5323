import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { options } from './config/options.ts';
import type { WorldDeclaration } from './declared-world/schema.ts';
import { UserError } from './errors.ts';
import { defaultChoices, type Choices } from './http/choices.ts';
import type { RateLimitMode, RecordLimits } from './http/shapes.ts';
import { homeVariable, userData } from './system.ts';
import type { Pace } from './time/pace.ts';

/** The options of `startEmulator`. Port 0 means any free one. */
export interface EmulatorOptions {
  readonly port: number;
  readonly inspectorPort: number;
  readonly host: string;
  /**
   * The address of the API in links, if clients reach it at a different address than it listens on:
   * `http://localhost:8080`.
   */
  readonly publicUrl: string | null;
  /** The same for the inspector. */
  readonly publicInspectorUrl: string | null;
  /** The data folder; null keeps everything in memory. */
  readonly dataDir: string | null;
  /** A file of `GET /control/export` that fills an empty store instead of the demo data; null for the demo data. */
  readonly seed: string | null;
  /**
   * A declared world for an empty store, which a reset goes back to: a path, or the declaration; null for the demo
   * world.
   */
  readonly world: string | WorldDeclaration | null;
  /** The pace until the control API sets another one. */
  readonly pace: Pace;
  /** Whether requests over the platform's rate limits are refused; the headers show them in both modes. */
  readonly rateLimits: RateLimitMode;
  /** Choices about unknown behaviour of the platform, see choices.ts. */
  readonly choices: Choices;
  /** The control API's bearer token; null generates a random one. */
  readonly token: string | null;
  /** Further host names of the servers, in addition to the loopback ones. */
  readonly allowHosts: readonly string[];
  /**
   * Checks every reply against the contract; a reply that does not fit becomes a 500. After an internal error `close`
   * throws, once everything has ended. For development and tests: it costs time.
   */
  readonly checkReplies: boolean;
  /** Whether the servers keep the process alive. If not, the process may end while no request is being answered. */
  readonly keepsAlive: boolean;
  /** How much of the recorded traffic is kept, in memory and in the data folder. */
  readonly record: RecordLimits;
  /** The worker that checks catalog files; only an entry knows where its build puts it. */
  readonly workerUrl: URL;
  /** The folder of the built inspector, which only an entry knows, too; null shows a plain page instead. */
  readonly uiDir: string | null;
  /** The folder whose files may be opened in the user's editor, from the inspector; null for none. */
  readonly editorFolder: string | null;
  /** Called with notices of the emulator itself: a repaired state file, an internal error. */
  readonly onNotice: (text: string) => void;
}

/**
 * Read from a variable instead of an option: all processes that a test run starts inherit it, however they are started.
 */
function checksReplies({ SANDPIPER_CHECK_REPLIES: asked }: NodeJS.ProcessEnv): boolean {
  return asked === '1';
}

/** The defaults of the command line; a caller adds `dataDir` and `workerUrl`. */
export const defaultOptions = {
  port: options.port.default,
  inspectorPort: options.inspectorPort.default,
  host: options.host.default,
  publicUrl: null,
  publicInspectorUrl: null,
  seed: null,
  world: null,
  pace: options.pace.default,
  rateLimits: options.rateLimits.default,
  choices: defaultChoices,
  token: null,
  allowHosts: [],
  checkReplies: checksReplies(process.env),
  keepsAlive: true,
  uiDir: null,
  editorFolder: null,
  record: {
    exchanges: options.recordRequests.default,
    bytes: options.recordMegabytes.default * 1024 * 1024,
    days: options.recordDays.default,
  },
  onNotice: () => {},
} as const satisfies Partial<EmulatorOptions>;

/**
 * The default folder of the state, in the place for user data on this system. An empty or relative variable counts as
 * not set, as the XDG rules require: it would put keys into the folder in which a command happens to run.
 * @throws UserError for a user without a home
 */
export function defaultDataDir(): string {
  const { env } = process;
  const { variable, inHome, ownName } = userData;
  const named = variable === null ? undefined : env[variable];
  return join(
    orElse(named, () => join(homeOf(env), ...inHome)),
    ownName,
  );
}

/** Whether a command finds the emulator with this data folder by itself. */
export function isDefaultDataDir(dataDir: string | null): boolean {
  try {
    return dataDir === defaultDataDir();
  } catch {
    // A user without a home has no default folder.
    return false;
  }
}

const orElse = (path: string | undefined, fallback: () => string): string =>
  path && isAbsolute(path) ? path : fallback();

function homeOf(env: NodeJS.ProcessEnv): string {
  return orElse(env[homeVariable], () => {
    try {
      return userInfo().homedir;
    } catch {
      // A container may run under a user id that its system does not know.
      throw new UserError(
        `This user has no home folder: ${homeVariable} does not name one, and the system does not know user ${process.getuid?.() ?? ''}. Name a folder for the state with --data or SANDPIPER_DATA.`,
      );
    }
  });
}
