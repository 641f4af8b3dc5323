import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleOf, workerUrl } from '../support/built.ts';
import { hearErrors } from '../support/told-errors.ts';

/** An emulator in a process of its own. */
export interface Server {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly apiUrl: string;
  readonly inspectorUrl: string;
  readonly token: string;
}

const program = fileURLToPath(bundleOf('test/store/serve-child.ts'));

interface Limits {
  /** What a file may have, each of 512 bytes: an end of the disk that is reached in the middle. */
  readonly blocks?: number;
  /** How many files and connections it may have open. */
  readonly files?: number;
  /** Whether it has process ids of its own, as in a container: it is number 1. */
  readonly ownIds?: boolean;
}

/** With process ids of its own; it ends with its parent. */
export const withOwnIds = ['unshare', '--pid', '--fork', '--kill-child'] as const;

const limitedBy = ({ blocks, files, ownIds = false }: Limits): readonly string[] => [
  '-c',
  `ulimit -f ${blocks ?? 'unlimited'} ${files === undefined ? '' : `&& ulimit -n ${files}`} && exec ${ownIds ? withOwnIds.join(' ') : ''} "$0" "$@"`,
  process.execPath,
];

export async function serve(folder: string, limits: Limits = {}): Promise<Server> {
  const child = spawn('sh', [...limitedBy(limits), program, folder, workerUrl().href], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  hearErrors(child.stderr);
  const ended = once(child, 'close');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ended, ...(JSON.parse(line.toString()) as Pick<Server, 'apiUrl' | 'inspectorUrl' | 'token'>) };
}

/** What a start that is refused says. @param user whom it runs as; left out: as the tests */
export async function refusedStart(folder: string, user?: number, limits: Limits = {}): Promise<string> {
  const child = spawn('sh', [...limitedBy(limits), program, folder, workerUrl().href, `${user ?? ''}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  if (code === 0) throw new Error('The start was not refused.');
  return said;
}
