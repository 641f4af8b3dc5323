import { resolve } from 'node:path';
import { createControlClient } from '../control/client/control-client.ts';
import { toPrintableLine } from '../contract/printable.ts';
import { UserError } from '../errors.ts';
import type { ClientKeys } from '../features/accounts/shapes.ts';
import { checkPorts } from '../net/listen.ts';
import type { Instance } from '../store/instance-file.ts';
import { sayHeld } from '../store/lock.ts';
import { createClock } from '../time/clock.ts';
import { connect, instanceOf, print, type ConnectOptions } from './connect.ts';
import { defaultDataDir } from '../options.ts';
import { lookAtFolder, lookAtNode, lookAtPort, lookAtProxy, type Look } from './start-checks.ts';
import { exitCodes } from './usage.ts';

/** The addresses of an emulator, without its process. */
export type Addresses = Omit<Instance, 'pid' | 'localInspectorUrl'>;

/** The variables that an app or a test run reads. */
export function toEnvironment(
  { apiUrl, authUrl, inspectorUrl, token }: Addresses,
  { key, clientId, clientSecret }: ClientKeys,
): { readonly [name: string]: string } {
  return {
    SANDPIPER_API_URL: apiUrl,
    SANDPIPER_AUTH_URL: authUrl,
    SANDPIPER_GRAPHQL_URL: `${apiUrl}/graphql`,
    SANDPIPER_INSPECTOR_URL: inspectorUrl,
    SANDPIPER_TOKEN: token,
    ...(key === null ? {} : { SANDPIPER_API_KEY: key }),
    ...(clientId === null ? {} : { SANDPIPER_CLIENT_ID: clientId }),
    ...(clientSecret === null ? {} : { SANDPIPER_CLIENT_SECRET: clientSecret }),
  };
}

/** `sandpiper env`: prints the variables of the running emulator, one a line, for an .env file. */
export async function printEnvironment(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const { apiUrl, authUrl } = await client.call('GET /control/health');
  const keys = await client.call('GET /control/client-keys');
  const variables = toEnvironment({ apiUrl, authUrl, inspectorUrl: client.page, token: client.token }, keys);
  print(
    options,
    variables,
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  );
}

interface Finding extends Look {
  readonly what: string;
}

/** The host and ports on which a start listens. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly inspectorPort: number;
}

/**
 * The options of a start that `sandpiper doctor` examines, as the command line, the variables and the config set them.
 */
export interface DoctorOptions extends Listening, Pick<ConnectOptions, 'data' | 'json' | 'terminal'> {
  readonly memory?: boolean;
  /** Whether the command line sets an option. */
  readonly isTyped: (name: 'port' | 'inspectorPort') => boolean;
}

/** `sandpiper doctor`: examines what a start needs, and says about each thing whether it is in order and what to do. */
export async function examine(options: DoctorOptions): Promise<void> {
  const dataDir = options.memory ? null : resolve(options.data ?? defaultDataDir());
  const { instance, ...running } = await lookAtRunning(dataDir);
  const proxy = lookAtProxy(process.env, options.port);
  const findings: readonly Finding[] = [
    { what: 'node', ...lookAtNode() },
    {
      what: 'data',
      ...(dataDir === null
        ? { ok: true, says: 'A start with --memory keeps nothing on disk.' }
        : lookAtFolder(dataDir)),
    },
    { what: 'running', ...running },
    ...(await checkPortsOf(options, instance && portsOf(instance))),
    ...(proxy === null ? [] : [{ what: 'proxy', ...proxy }]),
  ];
  print(
    options,
    findings,
    findings.map(({ what, ok, says }) => `${ok ? 'ok     ' : 'PROBLEM'} ${what}: ${toPrintableLine(says)}`).join('\n'),
  );
  if (findings.some(({ ok }) => !ok)) options.terminal.exitCode = exitCodes.notDone;
}

/**
 * The running emulator that serves a folder, and a sentence about it.
 * @param dataDir null if the data is only in memory
 */
async function lookAtRunning(dataDir: string | null): Promise<Look & { readonly instance: Instance | null }> {
  const start = '"sandpiper serve" starts one.';
  if (dataDir === null)
    return { ok: true, says: `No Sandpiper in memory can be found from here. ${start}`, instance: null };
  try {
    const instance = instanceOf(dataDir);
    if (instance === null || !(await answers(instance))) {
      const held = sayHeld(dataDir, createClock().wall());
      return { ok: held === null, says: held ?? `No Sandpiper serves this folder. ${start}`, instance: null };
    }
    const { pid, apiUrl, inspectorUrl } = instance;
    return { ok: true, says: `Process ${pid} serves ${apiUrl}; the inspector is at ${inspectorUrl}.`, instance };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ok: false, says: error.message, instance: null };
  }
}

/** @param own the ports of the emulator that serves the folder; then only other ports that were typed are checked */
async function checkPortsOf(
  { host, port, inspectorPort, isTyped }: DoctorOptions,
  own: readonly number[] | null,
): Promise<readonly Finding[]> {
  try {
    checkPorts(port, inspectorPort);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ what: 'ports', ok: false, says: error.message }];
  }
  const ports = [
    ['port', port, '--port'],
    ['inspectorPort', inspectorPort, '--inspector-port'],
  ] as const;
  const looked = ports.filter(([name, number]) => own === null || (isTyped(name) && !own.includes(number)));
  return Promise.all(looked.map(async ([, number, what]) => ({ what, ...(await lookAtPort(host, number, what)) })));
}

const portsOf = ({ apiUrl, localInspectorUrl }: Instance): readonly number[] =>
  [apiUrl, localInspectorUrl].map((url) => Number(new URL(url).port));

/** How long the answer of an emulator may take, in milliseconds. */
const patienceMs = 5_000;

/** @throws UserError if the emulator accepts the connection but does not answer */
async function answers({ localInspectorUrl: url, token, pid }: Instance): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    await createControlClient({ url, token, signal }).call('GET /control/health');
    return true;
  } catch (error) {
    if (error instanceof UserError && error.code === 'silent')
      throw new UserError(
        `${url} takes too long to answer. The Sandpiper of this folder was started there, as process ${pid}: let it go on if it is stopped, or choose another folder with --data.`,
      );
    return false;
  }
}
