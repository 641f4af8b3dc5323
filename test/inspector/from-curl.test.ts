/** A curl command is read as curl itself reads it: each is run, and what a server got is compared. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../renderer/http-text/apply-fix.ts';
import { CurlProblem, fromCurl, isCurl } from '../../renderer/http-text/from-curl.ts';

const got: Draft[] = [];
/** Headers that curl adds to every request. */
const ofCurl = /^(?:host|content-length|accept-encoding|user-agent: curl.*|accept: \*\/\*)$/;
const server = createServer(async (request, response) => {
  const { method = '', url = '', rawHeaders } = request;
  const data = (await buffer(request)).toString();
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  got.push({ method, url, headers, body: data === '' ? null : { encoding: 'utf8', data } });
  response.end();
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

const toSorted = ({ headers }: Draft): readonly string[] =>
  headers
    .map(([name, value]) => [name.toLowerCase(), `${name.toLowerCase()}: ${value}`] as const)
    .filter((texts) => !texts.some((text) => ofCurl.test(text)))
    .map(([, text]) => text)
    .toSorted();

test.each([
  ['a GET', `curl http://BASE/v1/me`],
  ['a query that the shell would leave to the background', `curl 'http://BASE/v1/me?a=1&b=%20x'`],
  ['options in one word', `curl -sSXDELETE "http://BASE/v1/webhooks/7"`],
  [
    'lines',
    `curl -X POST http://BASE/v1/subscriptions \\
  -H 'Authorization: Bearer key' \\
  -H "content-type: application/json" \\
  -d '{"user":{"phone":"+15555550123"},"name":"it'\\''s"}'`,
  ],
  ['a body in double quotes', `curl http://BASE/ -H content-type:application/json -d "{\\"a\\": \\"\\\\n\\"}"`],
  ['a body without a content type', `curl http://BASE/v1/x -d a=1 -d 'b=2'`],
  ['--json', `curl --json '{"a":1}' http://BASE/v1/x`],
  ['--json twice', `curl http://BASE/v1/x --json '[' --json ']'`],
  [
    'what a browser copies',
    `curl 'http://BASE/v1/x' -H 'accept: text/html' --data-raw $'{"a":"\\u00e9\\n\\'"}' --compressed`,
  ],
  ['encoded data', `curl http://BASE/v1/x --data-urlencode 'name=50%&more' --data-urlencode '=a&b'`],
  ['data in the query', `curl -G http://BASE/v1/subscriptions -d phone=1 --data-urlencode 'email=ab@c'`],
  ['a user', `curl -u 'id:secrét' http://BASE/v1/me`],
  ['headers that are taken away or empty', `curl http://BASE/ -H 'Accept:' -H 'X-Empty;' -H 'content-type:' -d x`],
  ['an agent, a cookie and a referer', `curl http://BASE/ -A shop/1 -b 'a=b' -e http://x/`],
  ['a method with a body', `curl http://BASE/ -X PUT --data-binary '  [1]  '`],
  ['HEAD', `curl -I http://BASE/`],
  ['what follows it', `curl -s http://BASE/v1/me -o /dev/null -m 5 --retry 2 | cat; echo done`],
  ['a URL without http', `curl BASE/v1/me`],
  ['a URL as an option', `curl --url http://BASE/v1/me -H "X-A: \\$b \\\`c\\\`"`],
  ['joined quotes', `curl http://BASE/'v1'/"me"\\?a=b`],
])('%s is read as curl sends it', async (_, command) => {
  const { port } = server.address() as AddressInfo;
  const real = command.replace('BASE', `127.0.0.1:${port}`);
  await promisify(execFile)('bash', ['-c', real]);
  const read = fromCurl(real);
  const sent = got.splice(0);
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([[read.method, read.url, read.body]]);
  expect(sent.map(toSorted)).toEqual([toSorted(read)]);
});

test.each([
  [`curl`, 'names no URL'],
  [`curl http://a/ -d 'x`, "The quotation mark ' at character 19 of the command is not closed."],
  [`curl http://a/ -d @body.json`, 'The body is read from body.json, which a page cannot read.'],
  [`curl http://a/ -F file=@x`, 'a form with files'],
  [`curl http://a/ -T x.ndjson`, 'The command sends the file x.ndjson'],
  [`curl http://a/ --frobnicate`, 'The option --frobnicate is not known here.'],
  [`curl http://a/ -Z`, 'The option -Z is not known here.'],
  [`curl http://a/ -H`, 'The option -H has no value.'],
  [`curl http://a/ -H x`, '"x" is not a header.'],
  [`curl http://a/ http://b/`, 'several URLs'],
  [`curl 'http://a b/'`, 'is not a URL'],
  [`wget http://a/`, 'does not begin with curl'],
])('%s says why it cannot be read', (command, says) => {
  expect(() => fromCurl(command)).toThrow(CurlProblem);
  expect(() => fromCurl(command)).toThrow(says);
});

test('a text is taken for a curl command with the prompt of a shell before it, and no other text is', () => {
  expect(['curl x', '  $ curl -s x', 'curl.exe x'].map(isCurl)).toEqual([true, true, true]);
  expect(['curly', 'about curl x', ''].map(isCurl)).toEqual([false, false, false]);
});
