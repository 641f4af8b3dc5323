// npm run check: types, lint, format and unused code, as many in parallel as there are cores. It prints what failed,
// and how long each check took.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Runs in two parts, each with its own cache. The quotes keep the patterns from the shell. */
const prettier = 'prettier --check --log-level warn --cache --cache-location node_modules/.cache/prettier/check';

/** The slowest first. Each is a command that can be run alone. */
const checks = {
  'format of TypeScript': `${prettier}-ts "**/*.ts"`,
  'format of all else': `${prettier} . "!**/*.ts"`,
  'types of the page': 'node test/tools/page-types.mjs',
  // Each further thread learns the same types again, and the cores have other checks to do.
  'types of all else': 'node node_modules/typescript-native/bin/tsc --singleThreaded',
  unused: 'knip --no-progress',
  lint: 'oxlint --deny-warnings',
};

const waiting = Object.entries(checks);
await Promise.all(Array.from({ length: availableParallelism() }, runNext));

async function runNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command] = next;
    const begun = performance.now();
    const { code, printed } = await run(command);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
    if (code === 0) continue;
    console.log(printed);
    process.exitCode = 1;
  }
}

/** Runs a command of the packages: npm puts their folder on PATH. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text));
    child.on('close', (code) => resolve({ code, printed }));
  });
}
