import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toWindowsLine } from '../../emulator/commands/exec.ts';
import { productionVariable, routeOf } from '../../emulator/production/hosts.ts';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { run, start, startIn, type Ended } from '../support/process.ts';

const clients = join(import.meta.dirname, 'clients');
const node = process.execPath;

/** A Python that has a module: that of the path, or of the system, whose packages it has. */
const pythonWith = (module: string): string =>
  ['python3', '/usr/bin/python3'].find((python) => answers(python, '-c', `import ${module}`)) ??
  `python3 with ${module}`;

/** Programs written for the platform itself, with its host as a literal. */
const programs: readonly (readonly [name: string, program: string, file: string])[] = [
  ['fetch', node, 'fetch.mjs'],
  ['axios', node, 'axios.mjs'],
  ['got, which asks for HTTP/2 first', node, 'got.mjs'],
  ['node:https with an agent of its own', node, 'https.cjs'],
  ['node-fetch', node, 'node-fetch.mjs'],
  ['undici with a dispatcher of its own', node, 'undici.mjs'],
  ['node:http and an address that it looked up', node, 'lookup.mjs'],
  ['Python with requests', pythonWith('requests'), 'requests_client.py'],
  ['Python with urllib', 'python3', 'urllib_client.py'],
  ['Python with http.client', 'python3', 'http_client.py'],
  ['Python with urllib3', pythonWith('urllib3'), 'urllib3_client.py'],
  ['Python with aiohttp', pythonWith('aiohttp'), 'aiohttp_client.py'],
  ['Ruby', 'ruby', 'client.rb'],
  ['PHP with curl', 'php', 'client.php'],
  ['Perl with LWP', 'perl', 'client.pl'],
];

const canRun: { readonly [program: string]: boolean } = {
  [node]: true,
  python3: answers('python3', '-c', ''),
  '/usr/bin/python3': answers('/usr/bin/python3', '-c', ''),
  ruby: answers('ruby', '-e', 'require "net/http"'),
  php: answers('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
  java: answers('java', '--list-modules') && answers('javac', '--version'),
  perl: answers('perl', '-MLWP::Protocol::https', '-e', '1'),
};

function answers(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

const production = (...args: readonly string[]) => run(['exec', '--as-production', ...args]);
const script = (code: string): readonly string[] => [node, '--input-type=module', '-e', code];

/** One run for all of them: each prints its line, after its name. */
let printed: Promise<Ended> | null = null;
const runAll = () =>
  (printed ??= production(
    '--',
    'sh',
    '-c',
    programs
      .filter(([, program]) => canRun[program])
      .map(([, program, file]) => `printf '${file} '; "${program}" "${join(clients, file)}"`)
      .join('\n'),
  ));

for (const [name, program, file] of programs)
  test.skipIf(!canRun[program])(`a program with ${name} reaches the sandbox without a line changed`, async () => {
    const { stdout, stderr } = await runAll();
    expect([stdout.split('\n').find((line) => line.startsWith(file)), stderr]).toEqual([
      `${file} 200 Sandpiper Supply Co.`,
      '',
    ]);
  });

test('plain http, a body of megabytes, GraphQL and the install page of an app reach it as well', async () => {
  const { stdout, stderr } = await production(
    '--',
    ...script(`
      const key = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
      const at = 'api.attentivemobile.com/v1';
      const big = await fetch('https://' + at + '/events/custom', { method: 'POST', headers: key, body: '"' + 'x'.repeat(3_000_000) + '"' });
      const plain = await fetch('http://' + at + '/me', { headers: key });
      const graph = await fetch('https://' + at + '/graphql', { method: 'POST', headers: key, body: JSON.stringify({ query: '{ __typename }' }) });
      const page = await fetch('https://ui.attentivemobile.com/integrations/nothing');
      console.log(big.status, plain.status, graph.status, page.status, page.headers.get('x-sandbox-rule'));`),
  );
  expect(stdout).toBe('413 200 200 404 request.unknown-path\n');
  expect(stderr).not.toContain('blocked');
});

test('the processes and threads that a program starts reach it, too', async () => {
  const { stdout, stderr } = await production(
    '--',
    ...script(`(await import('node:child_process')).fork(${JSON.stringify(join(clients, 'thread.cjs'))})`),
  );
  expect([stdout, stderr]).toEqual(['200 Sandpiper Supply Co.\n', '']);
});

test('an additional host is redirected if it is named', async () => {
  const ask = script(`console.log((await fetch('https://api.example.com/v1/me')).status)`);
  expect((await production('--production-host', 'API.example.com', '--', ...ask)).stdout).toBe('401\n');
});

test('a call that would reach a real person is blocked, reported, and fails like a refused connection', async () => {
  const { stdout, stderr, code } = await production(
    '--',
    ...script(`
      const { cause } = await fetch('https://api.twilio.com/2010-04-01/Accounts.json').catch((error) => error);
      console.log(cause.code, cause.rule, cause.message);
      const { connect } = await import('node:net');
      connect(587, 'mail.example.com').on('error', ({ code }) => { console.log(code); process.exit(3); });`),
  );
  expect(stdout).toMatch(
    /^ECONNREFUSED exec\.blocked .*api\.twilio\.com:443: it is a service that sends messages to real people\. Let the program use a stand-in for api\.twilio\.com on this machine: .*\n/,
  );
  expect(stdout).toMatch(/\nECONNREFUSED\n$/);
  expect([stderr, code]).toEqual([
    'sandpiper: blocked a connection to api.twilio.com:443 (sends messages)\n' +
      'sandpiper: blocked a connection to mail.example.com:587 (sends mail)\n',
    3,
  ]);
});

test('a blocked connection is refused and reported also where the report cannot be written, or was cut', async () => {
  const { stdout, stderr, code } = await production(
    '--',
    ...script(`
      const { appendFileSync, rmSync, mkdirSync } = await import('node:fs');
      const { request } = await import('node:http');
      const { report } = JSON.parse(process.env[${JSON.stringify(productionVariable)}]);
      await fetch('https://api.twilio.com/').catch(() => {});
      appendFileSync(report, '{"host":"cut');
      const ask = (path) => new Promise((done) => {
        const { hostname, port } = new URL(process.env.https_proxy);
        request({ host: hostname, port, method: 'CONNECT', path }).on('connect', ({ statusCode }, socket) => { socket.destroy(); done(statusCode); }).end();
      });
      console.log(await ask('api.sendgrid.com:443'));`),
  );
  expect([stdout, stderr.split('\n').toSorted(), code]).toEqual([
    '403\n',
    [
      '',
      'sandpiper: blocked a connection to api.sendgrid.com:443 (sends messages)',
      'sandpiper: blocked a connection to api.twilio.com:443 (sends messages)',
    ],
    0,
  ]);
});

test('a program that looks up the address itself reaches the sandbox, or nothing, by the name in its TLS handshake', async () => {
  const { stdout, stderr } = await production(
    '--',
    ...script(`
      const { createServer } = await import('node:net');
      const { connect } = await import('node:tls');
      let reached = 0;
      const real = createServer((socket) => (reached++, socket.destroy())).listen(0, '127.0.0.1', () => {
        const { port } = real.address();
        const ask = (servername, done) =>
          connect({ host: '127.0.0.1', port, servername })
            .on('error', ({ code }) => done(code))
            .on('data', (bytes) => done(String(bytes).split('\\r\\n')[0]))
            .write('GET /v1/me HTTP/1.1\\r\\nhost: api.attentivemobile.com\\r\\nconnection: close\\r\\n\\r\\n');
        ask('api.attentivemobile.com', (platform) =>
          ask('api.twilio.com', (other) => (console.log(platform, other, reached), process.exit())));
      });`),
  );
  expect(stdout).toBe('HTTP/1.1 401 Unauthorized ECONNREFUSED 0\n');
  expect(stderr).toMatch(/blocked a connection to api\.twilio\.com:\d+ \(sends messages\)/);
});

test('every way to look up an address answers for the platform and for blocked services, and for nothing else', async () => {
  const { stdout, stderr } = await production(
    '--',
    ...script(`
      const dns = await import('node:dns');
      const { promisify } = await import('node:util');
      const { get } = await import('node:http');
      const host = 'api.attentivemobile.com';
      const ways = [
        dns.promises.lookup(host).then(({ address }) => address),
        dns.promises.lookup(host, { all: true }).then(([{ address }]) => address),
        promisify(dns.lookup)(host, { family: 6 }).then(({ address }) => address),
        promisify(dns.lookup)(host, 4).then(({ address }) => address),
        dns.promises.resolve4(host).then(([address]) => address),
        promisify(dns.resolve)(host, 'AAAA').then(([address]) => address),
        new dns.promises.Resolver().resolve4(host, { ttl: true }).then(([{ address }]) => address),
      ];
      const ask = (address, host) => new Promise((done) => get({ host: address, path: '/v1/me', headers: { host } },
        (answer) => done(answer.resume().statusCode)).on('error', ({ code }) => done(code)));
      console.log(...await Promise.all((await Promise.all(ways)).map((address) => ask(address, host))));
      console.log(await ask((await dns.promises.lookup('api.twilio.com')).address, 'api.twilio.com'));
      console.log((await dns.promises.lookup('localhost', { family: 4 })).address, (await dns.promises.lookup('192.0.2.7')).address);`),
  );
  expect(stdout).toBe(`${Array(7).fill('401').join(' ')}\nECONNREFUSED\n127.0.0.1 192.0.2.7\n`);
  expect(stderr).toContain('sandpiper: blocked a connection to api.twilio.com:80 (sends messages)\n');
});

/** A program whose queries for names are heard: those that leave it are in `asked`. */
const listening = `
  const dns = await import('node:dns');
  const { promisify } = await import('node:util');
  const { createSocket } = await import('node:dgram');
  const asked = [];
  const server = createSocket('udp4').on('message', (bytes) => asked.push(String(bytes)));
  await new Promise((done) => server.bind(0, '127.0.0.1', done));
  dns.setServers(['127.0.0.1:' + server.address().port]);
  dns.promises.setServers(dns.getServers());`;

test('no query for another kind of record of such a host leaves the machine', async () => {
  const { stdout, stderr } = await production(
    '--offline',
    '--',
    ...script(`
      ${listening}
      const host = 'api.attentivemobile.com';
      console.log((await dns.promises.resolveAny(host)).map(({ type, address }) => type + address.slice(0, 7)).join());
      const kinds = ['Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Srv', 'Txt'];
      const ways = kinds.flatMap((kind) => [
        () => dns.promises['resolve' + kind](host),
        () => promisify(dns['resolve' + kind])('other.example'),
        () => promisify(dns.resolve)(host, kind.toUpperCase()),
        () => new dns.promises.Resolver()['resolve' + kind](host),
      ]);
      const codes = await Promise.all(ways.map((way) => way().then(String, ({ code }) => code)));
      console.log([...new Set(codes)].join(), asked.length);
      server.close();
      await dns.promises.resolve(host, 'XX');`),
  );
  expect(stdout).toBe('A127.47.\nENODATA 0\n');
  expect(stderr).toContain('ERR_INVALID_ARG_VALUE');
});

test('no query for the name of an address leaves the machine with --offline, and that of a host of ours never does', async () => {
  const look = script(`
    ${listening}
    const resolver = new dns.promises.Resolver();
    const ways = [
      (address) => dns.promises.reverse(address),
      (address) => promisify(dns.reverse)(address),
      (address) => resolver.reverse(address),
      (address) => dns.promises.lookupService(address, 443).then(({ hostname }) => hostname),
      (address) => promisify(dns.lookupService)(address, 443).then(({ hostname }) => hostname),
    ];
    const { address } = await dns.promises.lookup('api.attentivemobile.com');
    const { OTHERS } = process.env;
    for (const one of [address, '::ffff:' + address, ...OTHERS.split(' ').filter(Boolean)]) {
      const found = await Promise.all(ways.map((way) => way(one).then(String, ({ code, syscall }) => code)));
      console.log(one.replace(address, 'ours'), [...new Set(found)].join());
    }
    console.log(asked.length);
    server.close();
    dns.reverse('no address', () => {});`);
  const ours = 'ours api.attentivemobile.com\n::ffff:ours api.attentivemobile.com\n';
  const online = await run(['exec', '--as-production', '--', ...look], { OTHERS: '' });
  expect(online.stdout).toBe(`${ours}0\n`);
  const offline = await run(['exec', '--as-production', '--offline', '--', ...look], {
    OTHERS: '192.0.2.7 2001:db8::7 127.0.0.2 127.0.0.1 ::1',
  });
  expect(offline.stdout).toBe(
    `${ours}192.0.2.7 ENOTFOUND\n2001:db8::7 ENOTFOUND\n127.0.0.2 localhost\n127.0.0.1 localhost\n::1 localhost\n0\n`,
  );
  // What Node refuses, it refuses as usual.
  expect(offline.stderr).toContain('EINVAL');
});

test.skipIf(!canRun['java'])(
  'Java reaches the sandbox, and nothing that sends messages, from a temporary folder with signs in its name',
  async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'sandpiper-exec-')), `RUNNER~1 (a);b O'Brien "x"&y \\ \${HOME} $`);
    mkdirSync(folder);
    const ask = ['exec', '--as-production', '--', 'java', join(clients, 'Client.java')];
    const { stdout, stderr, code } = await run(ask, { TMPDIR: folder, JAVA_TOOL_OPTIONS: '-Dhttps.proxyPort=1' });
    rmSync(join(folder, '..'), { recursive: true });
    expect([stdout, code]).toEqual([
      'HttpClient 200\nHttpURLConnection 200\n' +
        'Unable to tunnel through proxy. Proxy returns "HTTP/1.1 403 Forbidden"\n',
      0,
    ]);
    expect(stderr).toContain('sandpiper: blocked a connection to api.sendgrid.com:443 (sends messages)\n');
  },
);

test.skipIf(!canRun['php'])('PHP reaches the sandbox from a temporary folder with signs in its name', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'sandpiper-exec-')), `RUNNER~1 (a);b O'Brien x&y=é \\ \${HOME} $`);
  mkdirSync(folder);
  const ask = ['exec', '--as-production', '--', 'php', join(clients, 'client.php')];
  const { stdout, stderr } = await run(ask, { TMPDIR: folder });
  rmSync(join(folder, '..'), { recursive: true });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('200'), stderr: '' });
});

const inPython = (code: string): readonly string[] => ['python3', '-c', code];
/** The lines of a program in Python, without the indent that they have in a test. */
const unindented = (code: string): string => code.replaceAll(/^ {6}/gm, '');

test.skipIf(!canRun['python3'])(
  'a request that Python sends directly is recorded as one that it sends by the proxy',
  async () => {
    const { stdout, stderr } = await production(
      '--',
      ...inPython(
        unindented(`
      import http.client, json, os, urllib.parse, urllib.request
      proxy = urllib.parse.urlsplit(os.environ["HTTPS_PROXY"])
      host = "api.attentivemobile.com"
      directly, tunnelled = http.client.HTTPSConnection(host), http.client.HTTPSConnection(proxy.hostname, proxy.port)
      tunnelled.set_tunnel(host)
      for connection in (directly, tunnelled):
          headers = {"authorization": "Bearer sandpiper-demo-key", "content-type": "application/json"}
          connection.request("POST", "/v1/graphql?a=b", '{"query":"{ __typename }"}', headers)
          connection.getresponse().read()
      def control(path):
          headers = {"authorization": "Bearer " + os.environ["SANDPIPER_TOKEN"]}
          url = os.environ["SANDPIPER_INSPECTOR_URL"] + "/control/requests" + path
          return json.load(urllib.request.urlopen(urllib.request.Request(url, headers=headers)))
      print(json.dumps([control("/" + one["id"]) for one in control("")["requests"]]))`),
      ),
    );
    const [first, second, ...more] = (JSON.parse(stdout) as Readonly<Record<string, unknown>>[]).map(
      ({ url, status, source, calledFrom, remoteAddress, httpVersion, request }) => ({
        url,
        status,
        source,
        calledFrom,
        remoteAddress,
        httpVersion,
        request,
      }),
    );
    expect(first).toMatchObject({ url: '/v1/graphql?a=b', status: 200, source: 'client', calledFrom: null });
    expect([second, more, stderr]).toEqual([first, [], '']);
  },
);

test.skipIf(!canRun['python3'])(
  'every way of Python to look up an address and to connect leads to the sandbox',
  async () => {
    const { stdout, stderr } = await production(
      '--',
      ...inPython(
        unindented(`
      import asyncio, http.client, socket, ssl
      host = "api.attentivemobile.com"
      def ask(address, family=socket.AF_INET, port=80):
          connection = http.client.HTTPConnection(host)
          connection.sock = socket.socket(family)
          connection.sock.connect((address, port))
          if port == 443:
              # It trusts no certificate at all.
              context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
              connection.sock = context.wrap_socket(connection.sock, server_hostname=host)
          connection.request("GET", "/v1/me")
          return connection.getresponse().status
      async def ask_asyncio():
          reader, writer = await asyncio.open_connection(host, 443, ssl=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
          writer.write(b"GET /v1/me HTTP/1.1\\r\\nhost: api.attentivemobile.com\\r\\n\\r\\n")
          status = (await reader.readline()).split()[1].decode()
          writer.close()
          return status
      print(ask(host), ask(host.encode(), port=443), ask("API.attentivemobile.com."), ask(host, socket.AF_INET6, 443),
          ask(socket.gethostbyname(host)), ask(socket.gethostbyname_ex(host)[2][0]), ask(socket.getaddrinfo(host, 443)[0][4][0]),
          ask(socket.getaddrinfo(host, "http", flags=socket.AI_ADDRCONFIG)[0][4][0]), asyncio.run(ask_asyncio()))
      try:
          print(socket.getaddrinfo(host, 443, flags=socket.AI_NUMERICHOST))
      except socket.gaierror:
          print("a name is not an address")`),
      ),
    );
    expect(stdout, stderr).toBe(`${Array(9).fill('401').join(' ')}\na name is not an address\n`);
  },
);

test.skipIf(!canRun['python3'])(
  'Python is refused what Node is refused, with the reason, and nothing else',
  async () => {
    const hosts = ['api.twilio.com', 'TWILIO.com.', 'nottwilio.com', 'email.us-east-1.amazonaws.com', 'www.attn.tv'];
    const all = [...hosts, 'sns.eu.example.amazonaws.com', 'other.example', '192.0.2.7'].flatMap((host) =>
      [443, 587].map((port) => ({ host, port })),
    );
    const { stdout, stderr } = await production(
      '--offline',
      '--',
      ...inPython(
        unindented(`
      import errno, json, socket, smtplib, urllib.request
      targets = json.loads('${JSON.stringify(all.map(({ host, port }) => [host, port]))}')
      print({socket.socket().connect_ex((host, port)) for host, port in targets} == {errno.ECONNREFUSED})
      for connect in (lambda: smtplib.SMTP("mail.example.com", 25), lambda: socket.create_connection(("api.twilio.com", 443))):
          try:
              connect()
          except ConnectionRefusedError as error:
              print(error.rule, error.strerror)
      with socket.create_server(("localhost", 0)) as server:
          for host in ("localhost", "127.0.0.1", ""):
              socket.create_connection((host or socket.gethostbyname(host), server.getsockname()[1])).close()
      # It sends nothing: programs ask so for the address that they have in the network.
      socket.socket(type=socket.SOCK_DGRAM).connect(("192.0.2.7", 80))
      print("this machine")`),
      ),
    );
    expect(stdout, stderr).toMatch(
      /^True\nexec\.blocked .* mail\.example\.com:25: port 25 is .*\nexec\.blocked .* api\.twilio\.com:443: .*\nthis machine\n$/,
    );
    const expected = all.map(({ host, port }) => {
      const route = routeOf(host, port, { hosts: [], offline: true });
      return `${host.toLowerCase().replace(/\.$/, '')}:${port} (${route.to === 'nowhere' ? route.why : route.to})`;
    });
    const refused = [...stderr.matchAll(/ to (.*)$/gm)].map(([, target]) => target);
    expect(refused.toSorted()).toEqual([...expected, 'mail.example.com:25 (sends mail)'].toSorted());
  },
);

test.skipIf(!canRun['python3'])(
  'a program in Python has its own modules and path, and leaves nothing behind',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-exec-'));
    const look = inPython('import sys; print(sys.path, sys.modules.get("sitecustomize"))');
    writeFileSync(join(folder, 'sitecustomize.py'), 'print("its own")');
    for (const env of [{ PYTHONPATH: folder }, { PYTHONPATH: undefined }]) {
      const plain = await run(['exec', '--', ...look], { ...env, TMPDIR: folder });
      expect(await run(['exec', '--as-production', '--', ...look], { ...env, TMPDIR: folder })).toEqual(plain);
      expect(plain.stdout.startsWith('its own')).toBe(env.PYTHONPATH === folder);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('sandpiper-'))).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);

const hasCurl = answers('curl', '--version');
test.skipIf(!hasCurl)('NO_PROXY of the environment lets no connection go to the real host', async () => {
  const status = (url: string) => `curl -s -o /dev/null -m 20 -w '%{http_code} %{http_connect}\n' ${url}; `;
  const ask = ['sh', '-c', ['https://platform.invalid/v1/me', 'https://api.twilio.com/'].map(status).join('')];
  for (const NO_PROXY of ['.invalid,twilio.com', '*'])
    for (const options of [[], ['--offline']]) {
      const words = ['exec', '--as-production', '--production-host', 'platform.invalid', ...options, '--', ...ask];
      expect((await run(words, { NO_PROXY, no_proxy: NO_PROXY })).stdout).toBe('401 200\n000 403\n');
    }
});

test.skipIf(!hasCurl)('what NO_PROXY exempts is reached without the proxy of the environment', async () => {
  const reached: string[] = [];
  const hear = (name: string) =>
    createServer((_, answer) => {
      reached.push(name);
      answer.end();
    });
  const [target, proxy] = [hear('target'), hear('proxy')];
  await Promise.all([target, proxy].map((server) => once(server.listen(0), 'listening')));
  const [port, proxyPort] = [target, proxy].map((server) => (server.address() as AddressInfo).port);
  const ask = ['exec', '--as-production', '--', 'curl', '-s', '-m', '20', `http://127.0.0.2:${port}/`];
  for (const exempt of ['', '127.0.0.2']) {
    const named = { NO_PROXY: exempt, no_proxy: exempt, HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` };
    await run(ask, named);
  }
  target.close();
  proxy.close();
  expect(reached).toEqual(['proxy', 'target']);
});

test.skipIf(!hasCurl)(
  'a proxy of the environment that opens no tunnel is named at the end, once, with the reason',
  async () => {
    const free = createServer().listen(0, '127.0.0.1');
    const web = createServer().listen(0, '127.0.0.1');
    const refusing = createServer().listen(0, '127.0.0.1');
    refusing.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    await Promise.all([free, web, refusing].map((server) => once(server, 'listening')));
    const hosts = [free, web, refusing].map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    await new Promise((resolve) => free.close(resolve));
    const ask = 'curl -s -m 20 https://example.invalid/; ';
    const said = async (HTTPS_PROXY: string) =>
      (await run(['exec', '--as-production', '--', 'sh', '-c', ask + ask], { HTTPS_PROXY })).stderr;
    const line = (host: string | undefined, why: string) => `sandpiper: the proxy of HTTPS_PROXY, ${host}, ${why}\n`;
    expect(await said(`http://me:secret@${hosts[0]}`)).toBe(line(hosts[0], 'did not answer (ECONNREFUSED)'));
    expect(await said(`socks5://${hosts[0]}`)).toBe(line(hosts[0], 'did not answer (ECONNREFUSED)'));
    expect(await said(`http://${hosts[1]}`)).toBe(line(hosts[1], 'opened no tunnel (socket hang up)'));
    expect(await said(`http://${hosts[2]}`)).toBe(line(hosts[2], 'answered 403 and opened no tunnel'));
    web.close();
    refusing.close();
  },
);

test.skipIf(!hasCurl)('the proxy refuses what would reach a real person, however its host is written', async () => {
  const ask = (url: string) => `curl -s -o /dev/null -m 20 -w '%{http_connect} %{http_code}\n' ${url}`;
  const urls = [
    'https://api.twilio.com/',
    'https://API.Twilio.com./',
    'http://api.twilio.com/',
    'https://mail.example.com:465/',
  ];
  const { stdout, stderr } = await production('--', 'sh', '-c', urls.map(ask).join('; '));
  expect(stdout.trim().split('\n')).toEqual(['403 000', '403 000', '000 403', '403 000']);
  const shown = await production('--', 'curl', '-si', 'http://api.twilio.com/');
  expect(shown.stdout).toContain('\r\nx-sandbox-rule: exec.blocked\r\n');
  expect(shown.stdout).toMatch(
    /messages to real people\. Let the program use a stand-in for api\.twilio\.com on this machine/,
  );
  expect(stderr).toContain('sandpiper: blocked a connection to mail.example.com:465 (sends mail)\n');
});

test('with --offline only this machine is reached', async () => {
  const ask = script(`
    const { createServer } = await import('node:http');
    const own = createServer((_, answer) => answer.end('own')).listen(0, '127.0.0.1', async () => {
      console.log(await (await fetch('http://localhost:' + own.address().port)).text());
      console.log((await fetch('https://example.com').catch((error) => error)).cause.message);
      own.close();
      own.closeAllConnections();
    });`);
  const { stdout, stderr } = await production('--offline', '--', ...ask);
  expect(stdout).toMatch(
    /^own\n.*example\.com:443: --offline allows connections to this machine only\. Start without --offline, or .*\n$/,
  );
  expect(stderr).toBe('sandpiper: blocked a connection to example.com:443 (offline)\n');
});

test('without a running sandbox a call is refused, says so, and is sent nowhere else', async () => {
  const settings = { port: 9, hosts: ['api.attentivemobile.com'], offline: false, report: '/dev/null' };
  const preload = join(builtApp(), 'out/preload/node-preload.cjs');
  const ask = `fetch('https://api.attentivemobile.com/v1/me').catch(({ cause }) => console.log(cause.code, cause.message))`;
  const { stdout } = spawnSync(node, ['--require', preload, '-e', ask], {
    encoding: 'utf8',
    env: personEnvironment({ SANDPIPER_AS_PRODUCTION: JSON.stringify(settings) }),
  });
  expect(stdout).toMatch(
    /^ECONNREFUSED connect ECONNREFUSED 127\.0\.0\.1:9 \(the sandbox .* is gone; nothing was sent/,
  );
});

test('a program that may not connect, as with --permission of Node 26, is not told that the sandbox is gone', () => {
  const settings = { port: 9, hosts: ['api.attentivemobile.com'], offline: false, report: '/dev/null' };
  const ask = `
    require('node:net').Socket.prototype.connect = function () {
      const error = Object.assign(new Error('Use --allow-net.'), { code: 'ERR_ACCESS_DENIED', syscall: 'connect' });
      process.nextTick(() => this.destroy(error));
      return this;
    };
    require(process.argv[1]);
    fetch('https://api.attentivemobile.com/v1/me').catch(({ cause }) => console.log(cause.message));`;
  const { stdout, stderr } = spawnSync(node, ['-e', ask, join(builtApp(), 'out/preload/node-preload.cjs')], {
    encoding: 'utf8',
    env: personEnvironment({ SANDPIPER_AS_PRODUCTION: JSON.stringify(settings) }),
  });
  expect([stdout, stderr]).toEqual(['Use --allow-net.\n', '']);
});

test('a program that may not read variables, as in Deno without --allow-env, runs as it is', () => {
  const closed = `
    process.env = new Proxy({}, { get() { throw new Error('Requires env access.'); } });
    require(process.argv[1]);
    process.stdout.write('runs\\n');`;
  const preload = join(builtApp(), 'out/preload/node-preload.cjs');
  const { status, stdout, stderr } = spawnSync(node, ['-e', closed, preload], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'runs\n', stderr: '' });
});

test('a Node that is too old says so in one line', () => {
  const preload = join(builtApp(), 'out/preload/node-preload.cjs');
  const old = `Object.defineProperty(process.versions, 'node', { value: '16.20.2' }); require(${JSON.stringify(preload)})`;
  const { stderr, status } = spawnSync(node, ['-e', old], {
    encoding: 'utf8',
    env: personEnvironment({ SANDPIPER_AS_PRODUCTION: '{}' }),
  });
  expect([stderr, status]).toEqual([
    'sandpiper: --as-production needs Node 18 or newer in the programs that it runs; this is Node 16.20.2.\n',
    1,
  ]);
});

test('only the command trusts the certificate authority, and its key is in no file', async () => {
  const { stdout, stderr } = await production(
    '--',
    'sh',
    '-c',
    'folder=$(dirname "$SSL_CERT_FILE"); echo "$folder"; grep -rl "PRIVATE KEY" "$folder" || echo none; stat -c %a "$folder"',
  );
  const [folder = '', keys, mode] = stdout.trim().split('\n');
  expect([keys, mode, stderr]).toEqual(['none', '700', '']);
  expect(spawnSync('ls', [folder]).status).not.toBe(0);
});

test('exec alone changes nothing but its own variables', async () => {
  const names = [
    'NODE_OPTIONS',
    'PYTHONPATH',
    'HTTPS_PROXY',
    'https_proxy',
    'SSL_CERT_FILE',
    'SANDPIPER_AS_PRODUCTION',
  ];
  const print = script(
    `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name] ?? null)))`,
  );
  const { stdout } = await run(['exec', '--', ...print]);
  expect(JSON.parse(stdout)).toEqual(names.map((name) => personEnvironment()[name] ?? null));
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s, sent to exec alone, ends the command, and its files are removed', async (signal, code) => {
  const print = `console.log(JSON.stringify([process.pid, require('node:path').dirname(process.env.SSL_CERT_FILE)]));`;
  const waiting = start('exec', '--as-production', '--', node, '-e', `${print} setInterval(() => {}, 1000)`);
  const [pid, folder] = JSON.parse(await waiting.output('\n')) as [number, string];
  waiting.process.kill(signal);
  expect((await waiting.ended).code).toBe(code);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(existsSync(folder)).toBe(false);
});

const hasScript = answers('script', '-qec', 'true', '/dev/null');
const cli = () => join(builtApp(), 'bin/sandpiper.cjs');

for (const [form, ...options] of [['exec'], ['exec --as-production', '--as-production', '--quiet']]) {
  test(`${form} passes exit code, signals and input on`, async () => {
    expect((await run(['exec', ...options, '--', 'sh', '-c', 'exit 7'])).code).toBe(7);
    const waiting = start('exec', ...options, '--', ...script(`console.log('up'); setInterval(() => {}, 1000)`));
    await waiting.output('up');
    waiting.process.kill('SIGTERM');
    expect((await waiting.ended).code).toBe(143);
    const words = [cli(), 'exec', ...options, '--', 'sh', '-c', 'read line; echo "got $line"'];
    const typed = { input: 'what was typed\n', encoding: 'utf8', env: personEnvironment() } as const;
    expect(spawnSync(node, words, typed).stdout).toBe('got what was typed\n');
  });

  test.skipIf(!hasScript)(`the command of ${form} has the terminal, with its size`, () => {
    const look = `console.log([process.stdin, process.stdout, process.stderr].map(({ isTTY }) => isTTY).join(), String(process.stdout.columns))`;
    const line = [node, cli(), 'exec', ...options, '--', node, '-e', look].map((word) => `'${word}'`).join(' ');
    const { stdout } = spawnSync('script', ['-qec', `stty cols 91; ${line}`, '/dev/null'], {
      encoding: 'utf8',
      env: personEnvironment(),
    });
    expect(stdout).toContain('true,true,true 91');
  });
}

test('an invalid host, and options without --as-production, are refused before anything starts', async () => {
  const url = await production('--production-host', 'https://api.example.com', '--', 'true');
  expect([url.code, url.stderr]).toEqual([
    2,
    expect.stringMatching(/^sandpiper: --production-host takes the name of a host/),
  ]);
  const alone = await run(['exec', '--offline', '--', 'true']);
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringMatching(/^sandpiper: --offline belongs to --as-production\./),
  ]);
});

const broken: readonly (readonly [what: string, env: NodeJS.ProcessEnv, line: RegExp])[] = [
  [
    'a proxy that is not a host',
    { HTTPS_PROXY: 'http://' },
    /^sandpiper: HTTPS_PROXY is "http:\/\/", which is not a proxy\./,
  ],
  ['a proxy of a wrong kind', { HTTPS_PROXY: 'ftp://proxy.example' }, /^sandpiper: HTTPS_PROXY .* is not a proxy\./],
  [
    'a missing certificate',
    { SSL_CERT_FILE: '/nowhere.pem' },
    /^sandpiper: SSL_CERT_FILE names \/nowhere\.pem, which cannot be read/,
  ],
  ['a folder as certificate', { CURL_CA_BUNDLE: clients }, /^sandpiper: CURL_CA_BUNDLE names .*, which cannot be read/],
  ['a file without certificates', { NODE_EXTRA_CA_CERTS: join(clients, 'fetch.mjs') }, /has no certificates in it/],
];

test.for(broken)('%s is one line and exit code 1, and the command is not run', async ([, env, line]) => {
  const ended = await run(['exec', '--as-production', '--', 'echo', 'ran'], env);
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('a certificate that a program does not accept is its own error, with its own exit code', async () => {
  const url = 'https://api.attentivemobile.com/v1/me';
  const { code, stderr } = await production('--', 'curl', '-sS', '--cacert', '/etc/hostname', url);
  expect([code, stderr]).toEqual([77, expect.stringContaining('certificate')]);
});

/** A separate network whose exit leads nowhere: packets sent to it are counted. */
const isolated = (command: string) =>
  spawnSync(
    'unshare',
    [
      '-rn',
      'sh',
      '-c',
      `ip link set lo up && ip link add out type veth peer name in && ip link set in up &&
       echo 1 > /proc/sys/net/ipv6/conf/out/disable_ipv6 && ip link set out up &&
       ip addr add 192.0.2.1/24 dev out && ip route add default via 192.0.2.2 || exit 99
       ${command}
       echo "sent $(cat /sys/class/net/out/statistics/tx_packets 2>/dev/null || awk '/out:/ { print $11 }' /proc/net/dev)"`,
    ],
    { encoding: 'utf8' },
  );
const canIsolate = isolated('true').stdout?.startsWith('sent ') ?? false;

test.skipIf(!canIsolate)('not one packet of the programs that reach the sandbox leaves the machine', () => {
  const without = isolated(
    `"${node}" -e 'require("node:net").connect(443, "192.0.2.9").on("error", () => {})'; sleep 0`,
  );
  expect(without.stdout).not.toMatch(/sent 0\n$/);
  const ofPython = ['requests_client.py', 'http_client.py', 'urllib3_client.py', 'aiohttp_client.py'];
  const files = ['fetch.mjs', 'axios.mjs', 'got.mjs', 'https.cjs', 'lookup.mjs', ...ofPython];
  const chosen = programs.filter(([, program, file]) => canRun[program] && files.includes(file));
  const all = chosen.map(([, program, file]) => `"${program}" "${join(clients, file)}"`).join(' && ');
  const { stdout } = isolated(`"${node}" "${cli()}" exec --as-production --offline -- sh -c '${all}'`);
  expect(stdout).toBe(`${'200 Sandpiper Supply Co.\n'.repeat(chosen.length)}sent 0\n`);
});

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s while the run is prepared runs nothing and leaves no folder behind',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-early-signal-'));
    const running = startIn({ TMPDIR: folder }, [
      'exec',
      '--as-production',
      '--',
      ...script('setInterval(() => {}, 1e6)'),
    ]);
    const isPrepared = (): boolean => readdirSync(folder).some((name) => name.startsWith('sandpiper-'));
    while (!isPrepared()) await new Promise((resolve) => setImmediate(resolve));
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({ code: 128 + constants.signals[signal], signal: null, stderr: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('sandpiper-'))).toEqual([]);
    rmSync(folder, { recursive: true });
  },
);

test.each([
  [['npm', '--run', 'C:\\app\\test.mjs', 'a=b'], 'npm --run C:\\app\\test.mjs a=b'],
  [['C:\\Program Files (x86)\\node.exe', ''], 'C:\\Program^ Files^ ^(x86^)\\node.exe ^"^"'],
  [['./scripts/run', './test/one.ts'], 'scripts\\run ./test/one.ts'],
  [['npm', 'a & b'], 'npm ^"a^ ^&^ b^"'],
  [['npm', '%PATH%', '^!'], 'npm ^"^%PATH^%^" ^"^^^!^"'],
  [['npm', 'say "hi" & stop'], 'npm ^"say^ \\^"hi\\^"^ ^&^ stop^"'],
  [['npm', 'ends with \\', 'and \\"'], 'npm ^"ends^ with^ \\\\^" ^"and^ \\\\\\^"^"'],
])('in Windows the words %j stay the words of the command', (words, line) => {
  expect(toWindowsLine(words)).toBe(line);
});
