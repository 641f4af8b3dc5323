import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the state is kept unless --data names a folder: where programs of this system keep the data of a user. */
export function defaultDataDir(): string {
  const { env, platform } = process;
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Sandpiper');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sandpiper');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'sandpiper');
}
