import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { createControlClient } from '../control/client.ts';
import { UserError } from '../errors.ts';
import type { ClientKeys } from '../features/accounts/shapes.ts';
import { checkPorts, listen } from '../net/listen.ts';
import { readInstance, type Instance } from '../store/instance-file.ts';
import { findMisfit } from '../store/own-files.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { defaultDataDir } from '../options.ts';
import { exitCodes } from './usage.ts';

/** Where an emulator answers, without its process. */
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

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
}

/** Where a start listens. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly inspectorPort: number;
}

/** What of a start `sandpiper doctor` looks at, as the line, the variables and the config set it. */
export interface DoctorOptions extends Listening, Pick<ConnectOptions, 'data' | 'json' | 'terminal'> {
  readonly memory?: boolean;
}

/** `sandpiper doctor`: looks at what a start needs, and says of each thing whether it is so and what to do. */
export async function examine(options: DoctorOptions): Promise<void> {
  const dataDir = resolve(options.data ?? defaultDataDir());
  const folder = options.memory ? null : checkFolder(dataDir);
  const instance = folder?.ok ? readInstance(dataDir) : null;
  const running = instance !== null && (await answers(instance));
  const findings: readonly Finding[] = [
    checkNode(),
    folder ?? { what: 'data', ok: true, says: 'A start with --memory keeps nothing on disk.' },
    {
      what: 'running',
      ok: true,
      says: running
        ? `Process ${instance.pid} serves ${instance.apiUrl}; the inspector is at ${instance.inspectorUrl}.`
        : `No Sandpiper ${folder ? 'serves this folder' : 'in memory can be found from here'}. "sandpiper serve" starts one.`,
    },
    ...(running ? [] : await checkPortsOf(options)),
  ];
  print(
    options,
    findings,
    findings.map(({ what, ok, says }) => `${ok ? 'ok     ' : 'PROBLEM'} ${what}: ${says}`).join('\n'),
  );
  if (findings.some(({ ok }) => !ok)) options.terminal.exitCode = exitCodes.notDone;
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    what: 'node',
    ok,
    says: ok
      ? `Node ${process.versions.node}.`
      : `Node ${process.versions.node} is too old; 20.19 is the oldest that works.`,
  };
}

function checkFolder(folder: string): Finding {
  const known = statSync(folder, { throwIfNoEntry: false });
  if (!known) return { what: 'data', ok: true, says: `${folder} does not exist yet; the first start makes it.` };
  if (!known.isDirectory())
    return { what: 'data', ok: false, says: `${folder} is a file, not a folder. Choose a folder with --data.` };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      what: 'data',
      ok: false,
      says: `${folder} cannot be written by this user. Give it to this user, or choose another with --data.`,
    };
  }
  const misfit = findMisfit(folder);
  return misfit === null
    ? { what: 'data', ok: true, says: `${folder} can be written.` }
    : {
        what: 'data',
        ok: false,
        says: `${folder} cannot be opened: ${misfit}. Move that away, or choose another folder with --data.`,
      };
}

async function checkPortsOf({ host, port, inspectorPort }: Listening): Promise<readonly Finding[]> {
  try {
    checkPorts(port, inspectorPort);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ what: 'ports', ok: false, says: error.message }];
  }
  return [await checkPort(host, port, '--port'), await checkPort(host, inspectorPort, '--inspector-port')];
}

async function checkPort(host: string, port: number, flag: string): Promise<Finding> {
  try {
    const probe = await listen(createServer(), { host, port, flag });
    await probe.close();
    return { what: flag, ok: true, says: `Port ${port} is free.` };
  } catch (error) {
    return { what: flag, ok: false, says: (error as Error).message };
  }
}

async function answers({ localInspectorUrl: url, token }: Instance): Promise<boolean> {
  try {
    await createControlClient({ url, token }).call('GET /control/health');
    return true;
  } catch {
    return false;
  }
}
