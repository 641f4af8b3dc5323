// Installs the npm packages when they are missing or older than the lockfile, so that `npm start` and `npm test`
// work in a fresh clone. Built-in modules only: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const modified = (file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

// npm writes this file last: an interrupted install has the folders but not the file.
const installed = modified('node_modules/.package-lock.json');
if (installed === 0 || installed < modified('package-lock.json')) {
  console.log('Installing the npm packages (first run, or the lockfile changed)…');
  // The npm that runs this script, by path: a bare `npm` needs a shell on Windows. --include=dev, because
  // NODE_ENV=production drops these packages.
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm] : ['npm'];
  const install = spawnSync(command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (install.status !== 0) {
    console.error('npm ci failed; the lines above say why. Nothing else was changed.');
    process.exit(install.status ?? 1);
  }
}
