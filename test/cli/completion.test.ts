import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { run, serve, stop, type Served } from '../support/process.ts';

let folder: string;
let served: Served;
let requestId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-completion-'));
  const cli = join(builtApp(), 'bin/sandpiper.cjs');
  writeFileSync(join(folder, 'sandpiper'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(join(folder, 'sandpiper'), 0o755);
  writeFileSync(join(folder, 'my-world.yaml'), '');
  served = await serve(['--data', join(folder, 'data')]);
  const answer = await fetch(`${served.apiUrl}/me`);
  requestId = /req_\w+/.exec(answer.headers.get('x-sandbox-explain') ?? '')?.[0] ?? '';
});
afterAll(async () => {
  await stop(served);
  rmSync(folder, { recursive: true, force: true });
});

type Shell = (script: string) => string;

function shell(program: string, ...args: readonly string[]): Shell {
  return (script) => {
    const { stdout, stderr } = spawnSync(program, [...args, script], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 20_000,
      env: {
        ...personEnvironment(),
        HOME: folder,
        TERM: 'dumb',
        PATH: `${folder}${delimiter}${process.env['PATH']}`,
        SANDPIPER_INSPECTOR_URL: served.inspectorUrl,
        SANDPIPER_TOKEN: served.token,
      },
    });
    return stdout + stderr;
  };
}

/** How a line is completed in each shell, by what the shell itself does when Tab is pressed. */
const ways: { readonly [name: string]: (line: string) => readonly string[] } = {
  bash: (line) => {
    const words = line.split(/ |(?=:)|(?<=:)/).map((word) => `'${word}'`);
    // As readline calls it: the function that "complete" registered, with the words and the place of the cursor.
    return shell(
      'bash',
      '--norc',
      '-c',
    )(
      `
      source <(sandpiper completion bash)
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'; COMP_POINT=${line.length}
      $(complete -p sandpiper | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`,
    ).split('\n');
  },
  // The function that is registered, with the words and the place of the cursor; what zsh would show is printed.
  zsh: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return shell(
      'zsh',
      '-f',
      '-c',
    )(
      `
      compdef() { registered=$1 }
      _describe() { print -rl -- "\${(@P)2}" }
      _files() { print -rl -- \${words[CURRENT]}*(N) }
      source <(sandpiper completion zsh)
      words=(${words.join(' ')}); CURRENT=${words.length}
      $registered`,
    )
      .split('\n')
      .map((found) => found.split(':')[0] ?? '');
  },
  fish: (line) =>
    shell(
      'fish',
      '--no-config',
      '-c',
    )(`sandpiper completion fish | source; complete -C '${line}'`)
      .split('\n')
      .map((found) => found.split('\t')[0] ?? ''),
};

const isThere = (name: string): boolean => spawnSync(name, ['-c', 'true']).status === 0;

for (const [name, complete] of Object.entries(ways)) {
  test.skipIf(!isThere(name))(
    `${name} completes commands, options, their values, kinds and ids of the running sandbox`,
    () => {
      expect(complete('sandpiper exp')).toContain('explain');
      expect(complete('sandpiper serve --inspector')).toContain('--inspector-port');
      expect(complete('sandpiper serve --pace man')).toContain('manual');
      expect(complete('sandpiper records privacy')).toContain('privacy-requests');
      expect(complete('sandpiper records offers 900')).toContain('90001');
      expect(complete('sandpiper trigger email.op')).toContain('email.opened');
      expect(complete(`sandpiper explain ${requestId.slice(0, 6)}`)).toContain(requestId);
      expect(complete('sandpiper serve --world my')).toContain('my-world.yaml');
    },
  );
}

test.skipIf(!isThere('bash'))('bash completes an id with a colon, from the colon on', async () => {
  const [, before = '', after = ''] = /^([^:\s]+:)(\S+)\t/m.exec(await words('records', 'subscriptions', '')) ?? [];
  expect(ways['bash']?.(`sandpiper records subscriptions ${before}${after.slice(0, 2)}`)).toContain(after);
});

test.skipIf(!isThere('zsh'))('zsh completes the value after an equals sign', () => {
  expect(ways['zsh']?.('sandpiper serve --pace=in')).toContain('--pace=instant');
});

const words = async (...typed: readonly string[]) =>
  (
    await run(['complete', '--', ...typed], {
      SANDPIPER_INSPECTOR_URL: served.inspectorUrl,
      SANDPIPER_TOKEN: served.token,
    })
  ).stdout;

test('a line that is typed is not run, and what comes after exec is left to the shell', async () => {
  const evil = join(folder, 'evil');
  for (const [name, complete] of Object.entries(ways))
    if (isThere(name)) complete(`sandpiper explain $(touch ${evil})`);
  expect(spawnSync('ls', [evil]).status).not.toBe(0);
  expect(await words('exec', '--', 'np')).toBe(':files\n');
  expect(await words('exec', '--as-production', 'npm', '--')).toBe(':files\n');
  expect(await words('serve', '--pace', '=', 'inst')).toBe('instant\t\n');
  expect(await words('serve', '--pace=inst')).toBe('--pace=instant\t\n');
});

test('ids are those of the emulator that the line, a variable or the config names, as for the command itself', async () => {
  const data = join(folder, 'data');
  const config = join(folder, 'of-data.json');
  writeFileSync(config, '{"data": "./data"}');
  const elsewhere = { SANDPIPER_INSPECTOR_URL: 'http://127.0.0.1:9', SANDPIPER_TOKEN: 'x' };
  for (const [line, env] of [
    [['--data', data], elsewhere],
    [[], { SANDPIPER_DATA: data }],
    [[], { SANDPIPER_CONFIG: config }],
  ] as const)
    expect((await run(['complete', '--', 'records', ...line, 'offer'], env)).stdout, JSON.stringify(env)).toMatch(
      /^offers\t/m,
    );
});

test('the words of a command with commands of its own are completed, also after help', async () => {
  expect(await words('catalog', 'x')).toMatch(/^xray\t/);
  expect(await words('catalog', 'fix', '--o')).toMatch(/^--out\t/);
  expect(await words('catalog', 'check', 'my')).toBe(':files\n');
  expect(await words('help', 'catalog', 'gen')).toMatch(/^generate\t/);
  expect(await words('help', 'trigger', '')).toBe('');
});

test('of very many records the newest are completed', async () => {
  // Not by the API, so that the request of the other tests stays among the newest.
  const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: 'http://localhost:3000/', events: ['sms.sent'] });
  const make = async (): Promise<string> => {
    const made = await fetch(`${served.inspectorUrl}/control/webhooks`, { method: 'POST', headers, body });
    return ((await made.json()) as { id: string }).id;
  };
  const ids: string[] = [];
  while (ids.length < 205) ids.push(await make());
  const completed = await words('rotate', '');
  expect(completed).toContain(`${ids.at(-1)}\t`);
  expect(completed.trimEnd().split('\n')).toHaveLength(200);
});

test('without a running sandbox there are no ids, and no error', async () => {
  const { stdout, stderr, code } = await run(['complete', '--', 'explain', ''], { XDG_DATA_HOME: folder });
  expect([stdout, stderr, code]).toEqual(['', '', 0]);
  expect((await run(['completion', 'csh'])).code).toBe(2);
});
