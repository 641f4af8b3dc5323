import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { pack, root, startInBackground, type Background } from './support.ts';

const hasBuildah =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0;
const nodeImage = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'packaging/Dockerfile'), 'utf8'))?.[1] ?? '';

let folder = '';
let running: Background | null = null;
beforeAll(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandpiper-container-')))));
afterAll(async () => {
  await running?.stop();
  if (hasBuildah) buildah('rm', '--all');
  rmSync(folder, { recursive: true, force: true });
});

const buildahArgs = (...args: readonly string[]) => [
  '--storage-driver',
  'vfs',
  '--root',
  join(folder, 'images'),
  '--runroot',
  join(folder, 'run'),
  ...args,
];
function buildah(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('buildah', buildahArgs(...args), { encoding: 'utf8', timeout: 300_000 });
  return { ok: status === 0, stdout: stdout.trim(), stderr };
}

/** The image that the Dockerfile names, or where no registry can be reached a stand-in: this machine's Node and no more. */
function findBase(): string {
  const pulled = spawnSync('buildah', buildahArgs('pull', '--quiet', nodeImage), { timeout: 60_000 });
  if (pulled.status === 0) return nodeImage;
  console.log(`${nodeImage} cannot be had here; the image is built on this machine's own Node.`);
  const base = buildah('from', 'scratch').stdout;
  const top = buildah('mount', base).stdout;
  const copy = (file: string, to = file): void => {
    mkdirSync(join(top, dirname(to)), { recursive: true });
    copyFileSync(file, join(top, to));
  };
  copy(process.execPath, '/usr/bin/node');
  for (const [library] of spawnSync('ldd', [process.execPath], { encoding: 'utf8' }).stdout.matchAll(/\/\S+/g))
    copy(library);
  mkdirSync(join(top, 'tmp'));
  mkdirSync(join(top, 'etc'), { recursive: true });
  writeFileSync(join(top, 'etc/passwd'), 'root:x:0:0::/:/none\nnode:x:1000:1000::/tmp:/none\n');
  buildah('config', '--env', 'PATH=/usr/bin', base);
  buildah('commit', '--quiet', base, 'localhost/node');
  return 'localhost/node';
}

interface Image {
  readonly OCIv1: { readonly config: { readonly Entrypoint: readonly string[]; readonly Cmd: readonly string[] } };
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Volumes: object;
      readonly ExposedPorts: object;
      readonly Env: readonly string[];
      readonly Healthcheck: { readonly Test: readonly [string, ...string[]] };
    };
  };
}

test.skipIf(!hasBuildah)(
  'the image is built, runs as a user that is not root, is healthy, and keeps its data',
  async () => {
    const context = join(folder, 'context');
    mkdirSync(context);
    await pack(context);
    cpSync(join(root, '.dockerignore'), join(context, '.dockerignore'));
    const built = buildah(
      ...'build --quiet --isolation chroot --format docker -t sandpiper --build-arg'.split(' '),
      `NODE_IMAGE=${findBase()}`,
      '-f',
      join(root, 'packaging/Dockerfile'),
      context,
    );
    expect(built.ok, built.stderr).toBe(true);

    const image = JSON.parse(buildah('inspect', '--type', 'image', 'sandpiper').stdout) as Image;
    const { User, Volumes, ExposedPorts, Healthcheck } = image.Docker.config;
    const { Entrypoint, Cmd } = image.OCIv1.config;
    expect({ User, Volumes, ports: Object.keys(ExposedPorts) }).toEqual({
      User: '1000:1000',
      Volumes: { '/data': {} },
      ports: ['4747/tcp', '4748/tcp'],
    });

    const told = join(folder, 'told');
    mkdirSync(told);
    chmodSync(told, 0o777);
    const container = buildah('from', 'sandpiper').stdout;
    const inContainer = (env: readonly string[], ...words: readonly string[]) => [
      ...buildahArgs('run', '--isolation', 'chroot', '-v', `${told}:/told`),
      ...env.flatMap((one) => ['--env', one]),
      container,
      '--',
      ...words,
    ];
    /** Its output comes through a file: on a busy machine, `buildah run` of Debian 12 loses it now and then. */
    const runInContainer = (...words: readonly string[]) => {
      const tell = `const { status, stdout, stderr } = child_process.spawnSync(process.argv[1], process.argv.slice(2), { encoding: 'utf8' }); fs.writeFileSync('/told/it.json', JSON.stringify({ status, stdout, stderr }))`;
      const { status, stderr } = spawnSync('buildah', inContainer([], 'node', '-e', tell, '--', ...words), {
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect(status, stderr).toBe(0);
      const file = join(told, 'it.json');
      const output = JSON.parse(readFileSync(file, 'utf8')) as Record<'stdout' | 'stderr', string> & { status: number };
      rmSync(file);
      return output;
    };
    const isKept = `fs.existsSync('/opt/package/out/main/cli.cjs.compiled')`;
    const kept = runInContainer('node', '-p', isKept);
    expect(kept.stdout, 'each start uses what V8 compiled at the first one').toBe('true\n');
    const start = [...Entrypoint, ...Cmd];
    // Without a token it does not open itself to a network.
    const open = runInContainer(...start);
    expect([open.status === 0, open.stderr]).toEqual([false, expect.stringContaining('needs a token of your own')]);

    const [port, inspectorPort] = [await freePort(), await freePort()];
    const env = ['SANDPIPER_TOKEN=a-token', `SANDPIPER_PORT=${port}`, `SANDPIPER_INSPECTOR_PORT=${inspectorPort}`];
    running = startInBackground('buildah', inContainer([...env, 'SANDPIPER_ALLOW_HOST=localhost:8080'], ...start), {
      env: personEnvironment(),
    });
    await expect.poll(running.printed, { timeout: 60_000 }).toContain('Open →');
    const me = (host: string) =>
      fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { host, authorization: 'Bearer sandpiper-demo-key' } });
    expect((await me(`localhost:${port}`)).status).toBe(200);
    const [, ...healthy] = Healthcheck.Test;
    const health = runInContainer(...healthy);
    expect([health.status, health.stdout]).toEqual([0, expect.stringContaining('Ready: http://127.0.0.1')]);
    const look = `const { mode, uid } = fs.statSync('/data/control.json'); console.log(process.getuid(), uid, (mode & 0o777).toString(8))`;
    const looked = runInContainer('node', '-e', look);
    expect([looked.stderr, looked.stdout]).toEqual(['', '1000 1000 600\n']);
  },
);

/** `curl -H "Host: …"`: fetch sets its own. */
const statusFor = (port: number, host: string): string =>
  spawnSync(
    'curl',
    ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Host: ${host}`, `http://127.0.0.1:${port}/v1/me`],
    {
      encoding: 'utf8',
    },
  ).stdout;

test('behind a mapped port only the names that were allowed are answered', async () => {
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const env = {
    SANDPIPER_HOST: '0.0.0.0',
    SANDPIPER_DATA: join(folder, 'mapped'),
    SANDPIPER_TOKEN: 'a-token',
    SANDPIPER_PORT: String(port),
    SANDPIPER_INSPECTOR_PORT: String(inspectorPort),
    SANDPIPER_ALLOW_HOST: 'localhost:8080',
  };
  const server = startInBackground(process.execPath, [join(builtApp(), 'bin/sandpiper.cjs'), 'serve'], {
    env: personEnvironment(env),
  });
  try {
    await expect.poll(server.printed).toContain('Open →');
    expect(
      ['localhost:8080', `localhost:${port}`, 'localhost:8081', 'evil.example', 'evil.example:8080'].map((host) =>
        statusFor(port, host),
      ),
    ).toEqual(['401', '401', '403', '403', '403']);
  } finally {
    await server.stop();
  }
});

test.for([
  ['keeps its state in its folder', [], {}],
  ['keeps nothing on disk', [], { SANDPIPER_MEMORY: 'true' }],
  ['is told on its line to keep nothing on disk', ['--memory'], {}],
  ['is told on its line to keep its state elsewhere', ['--data', 'elsewhere'], {}],
  ['is told another token on its line', ['--token', 'another-token'], {}],
] as const)('a container that %s is healthy', async ([, words, more]) => {
  const dockerfile = readFileSync(join(root, 'packaging/Dockerfile'), 'utf8');
  const [, asked = ''] = /^HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [, , ...check] = JSON.parse(asked) as readonly string[];
  const ports = { SANDPIPER_PORT: String(await freePort()), SANDPIPER_INSPECTOR_PORT: String(await freePort()) };
  const data = mkdtempSync(join(folder, 'healthy-'));
  const image = { SANDPIPER_HOST: '0.0.0.0', SANDPIPER_DATA: data, SANDPIPER_TOKEN: 'a-token' };
  const env = personEnvironment({ ...image, ...ports, ...more });
  const cli = join(builtApp(), 'bin/sandpiper.cjs');
  const health = () => spawnSync(process.execPath, [cli, ...check], { env, encoding: 'utf8' });
  const server = startInBackground(process.execPath, [cli, 'serve', ...words], { env, cwd: data });
  try {
    await expect.poll(server.printed).toContain('Open →');
    expect(health()).toMatchObject({ status: 0, stdout: `Ready: http://127.0.0.1:${ports.SANDPIPER_PORT}/v1\n` });
  } finally {
    await server.stop();
  }
  expect(health().status).toBe(1);
});

/** What `-p PORT:OWN` does: passes the bytes of one port on to another. */
async function mapPort(own: number): Promise<{ readonly port: number; stop(): void }> {
  const server = createServer((socket) => {
    const inner = connect(own, '127.0.0.1');
    socket.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => socket.destroy()).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}

test('behind a mapped port every address that is printed or sent is the public one, and leads there', async () => {
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const [api, inspector] = [await mapPort(port), await mapPort(inspectorPort)];
  const apiUrl = `http://localhost:${api.port}`;
  const inspectorUrl = `http://localhost:${inspector.port}`;
  const data = join(folder, 'public');
  const env = personEnvironment({
    SANDPIPER_HOST: '0.0.0.0',
    SANDPIPER_DATA: data,
    SANDPIPER_TOKEN: 'a-token',
    SANDPIPER_PORT: String(port),
    SANDPIPER_INSPECTOR_PORT: String(inspectorPort),
    SANDPIPER_PUBLIC_URL: apiUrl,
    SANDPIPER_PUBLIC_INSPECTOR_URL: inspectorUrl,
  });
  const cli = join(builtApp(), 'bin/sandpiper.cjs');
  const server = startInBackground(process.execPath, [cli, 'serve'], { env });
  try {
    await expect.poll(server.printed).toContain(`Open → ${inspectorUrl}/#token=a-token`);
    expect(server.printed()).toContain(`${apiUrl}/v1`);
    const answer = await fetch(`${apiUrl}/v1/me`);
    const link = answer.headers.get('x-sandbox-explain') ?? '';
    expect(link).toMatch(new RegExp(`^${inspectorUrl}/#/requests/req_`));
    expect(await (await fetch(link)).text()).toContain('<title>Sandpiper');
    await expect.poll(server.printed).toContain(`→ ${link}`);
    // The commands in the container find the server by its folder, where the public address leads nowhere.
    api.stop();
    inspector.stop();
    const command = (...words: readonly string[]) =>
      spawnSync(process.execPath, [cli, ...words, '--data', data], {
        env: personEnvironment({}),
        encoding: 'utf8',
      });
    expect(command('ready').stdout).toBe(`Ready: ${apiUrl}/v1\n`);
    expect(command('explain', '--last').stdout).toContain(link);
    expect(command('logs').stdout).toContain(link);
    expect(command('env').stdout).toContain(`SANDPIPER_INSPECTOR_URL=${inspectorUrl}\n`);
    expect(command('doctor').stdout).toContain(`serves ${apiUrl}/v1; the inspector is at ${inspectorUrl}.`);
    expect(readFileSync(join(data, 'control.json'), 'utf8')).toContain(`"http://127.0.0.1:${inspectorPort}"`);
  } finally {
    await server.stop();
  }
});

interface Compose {
  readonly services: {
    readonly [name: string]: {
      readonly environment: { readonly [name: string]: string };
      readonly volumes: readonly string[];
      readonly ports?: readonly string[];
      readonly network_mode?: string;
      readonly command?: readonly string[];
    };
  };
}

test('the compose file of the shop starts the shop with its sandbox, which is closed to other machines', async () => {
  const path = join(root, 'examples/shop/compose.yaml');
  const { sandbox, shop } = (parse(readFileSync(path, 'utf8')) as Compose).services;
  expect(sandbox?.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  expect(shop?.network_mode).toBe('service:sandbox');
  expect(sandbox?.environment['SANDPIPER_TOKEN']).toMatch(/^\$\{SANDPIPER_TOKEN:\?/);

  // One network is what the two have in this machine, too; the folders that are mounted are named by their paths here.
  const ports = { 4747: await freePort(), 4748: await freePort(), 3000: await freePort() };
  const here = (text: string) =>
    Object.entries(ports)
      .reduce((done, [port, own]) => done.replaceAll(port, String(own)), text)
      // As compose does with a variable that is not set.
      .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/^\/shop\//, `${dirname(path)}/`);
  const environmentOf = (service: Compose['services'][string] | undefined) =>
    Object.fromEntries(Object.entries(service?.environment ?? {}).map(([name, value]) => [name, here(String(value))]));
  const served = startInBackground(process.execPath, [join(builtApp(), 'bin/sandpiper.cjs'), 'serve'], {
    env: personEnvironment({
      ...environmentOf(sandbox),
      SANDPIPER_HOST: '0.0.0.0',
      SANDPIPER_DATA: join(folder, 'composed'),
      SANDPIPER_TOKEN: 'a-token',
      SANDPIPER_PORT: String(ports[4747]),
      SANDPIPER_INSPECTOR_PORT: String(ports[4748]),
      PORT: String(ports[3000]),
    }),
  });
  const started: Background[] = [served];
  try {
    await expect.poll(served.printed).toContain(`Open → http://localhost:${ports[4748]}/`);
    const [, ...words] = shop?.command ?? [];
    const own = startInBackground(process.execPath, words, { env: personEnvironment(environmentOf(shop)) });
    started.unshift(own);
    await expect.poll(own.printed).toMatch(/Installed for Acme, company (\S+)/);
    const [, company] = /company (\S+)/.exec(own.printed()) ?? [];
    const answer = await fetch(`http://localhost:${ports[3000]}/companies/${company}/subscribers`, {
      method: 'POST',
      body: '{"phone":"+15555550190"}',
    });
    expect(answer.status).toBe(202);
    await expect.poll(own.printed).toContain('took sms.subscribed');
  } finally {
    for (const one of started) await one.stop();
  }
});
