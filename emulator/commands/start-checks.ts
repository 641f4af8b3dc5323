/** Checks what a start needs from the machine, without a start. */
import { accessSync, constants, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { reasonOf } from '../errors.ts';
import { checkRuntime, listen } from '../net/listen.ts';
import { isExempt } from '../production/no-proxy.ts';
import { findObstacle, findMissingPart } from '../store/own-files.ts';

/** Whether something is as a start needs it, and a sentence that says so or what to do. */
export interface Look {
  readonly ok: boolean;
  readonly says: string;
}

/** Whether a start can run in this runtime. */
export function lookAtNode(): Look {
  try {
    checkRuntime(process.versions);
    return { ok: true, says: `Node ${process.versions.node}.` };
  } catch (error) {
    return { ok: false, says: reasonOf(error) };
  }
}

/** Whether a start can keep its state in a folder, which need not exist yet. */
export function lookAtFolder(folder: string): Look {
  let nearest = folder;
  try {
    const missing = findMissingPart(folder);
    if (missing !== null)
      return {
        ok: false,
        says: `${folder} cannot be made: ${missing.is}. ${missing.fix}, or choose a folder with --data.`,
      };
    while (!isThere(nearest)) nearest = dirname(nearest);
    if (!statSync(nearest).isDirectory())
      return { ok: false, says: `${nearest} is a file, not a folder. Choose a folder with --data.` };
    if (nearest === folder) accessSync(folder, constants.R_OK);
    // The mode does not say whether root may write, nor whether the disk is read-only.
    rmdirSync(mkdtempSync(join(nearest, '.sandpiper-')));
  } catch (error) {
    return {
      ok: false,
      says: `${folder} cannot be ${nearest === folder ? 'used' : 'made'}: ${sayWhy(error as NodeJS.ErrnoException, nearest)}. Choose another folder with --data.`,
    };
  }
  if (nearest !== folder) return { ok: true, says: `${folder} does not exist yet; the first start makes it.` };
  const obstacle = findObstacle(folder);
  return obstacle === null
    ? { ok: true, says: `${folder} can be written.` }
    : {
        ok: false,
        says: `${folder} cannot be opened: ${obstacle.is}. ${obstacle.fix}, or choose another folder with --data.`,
      };
}

/** Whether a path exists. A path below a file does not. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

function sayWhy({ code, errno, message }: NodeJS.ErrnoException, nearest: string): string {
  if (code === 'ENOENT') return `no folder can be made in ${nearest}`;
  const [, said = message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return said;
}

/**
 * Whether a server can listen on a port.
 * @param flag the option that sets the port
 */
export async function lookAtPort(host: string, port: number, flag: string): Promise<Look> {
  try {
    const probe = await listen(createServer(), { host, port, flag });
    await probe.close();
    return { ok: true, says: port === 0 ? 'A start chooses any free port.' : `Port ${port} is free.` };
  } catch (error) {
    return { ok: false, says: reasonOf(error) };
  }
}

/**
 * Whether programs with these variables reach a port of this machine directly; null if none of the variables names a
 * proxy for http. Sandpiper itself uses none.
 */
export function lookAtProxy(env: NodeJS.ProcessEnv, port: number): Look | null {
  const name = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'].find((one) => env[one]);
  if (name === undefined) return null;
  const exempt = [env['NO_PROXY'], env['no_proxy']].filter(Boolean).join(',');
  const missing = ['localhost', '127.0.0.1'].filter((host) => !isExempt(exempt, host, port));
  return missing.length === 0
    ? { ok: true, says: `${name} names a proxy, and NO_PROXY exempts this machine from it.` }
    : {
        ok: false,
        says: `${name} names a proxy, which also gets what your programs send to ${missing.join(' and ')}. Add ${missing.join(',')} to NO_PROXY.`,
      };
}
