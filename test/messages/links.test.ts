import { beforeEach, expect, test } from 'vitest';
import { createMessages } from '../../emulator/messages/messages.ts';
import type { Message } from '../../emulator/records.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const ada = { phone: '+15555550100', email: 'ada@example.com' };
const compose = async (json: object) => (await sandbox.control('POST', '/control/messages', json)).body as Message;
const text = (words: string) => compose({ subscriber: { phone: ada.phone }, channel: 'TEXT', text: words });
const mail = (html: string) =>
  compose({ subscriber: { email: ada.email }, channel: 'EMAIL', subject: 'Sale', text: 'Sale', html });
/** Each of its last characters is two UTF-16 units. */
const longUrl = (characters: number) => `https://shop.example.com/${'😀'.repeat(characters - 25)}`;
const follow = async (shortUrl: string | undefined) => {
  const answer = await fetch(shortUrl ?? '', { redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location'), headers: answer.headers };
};

test.for([
  ['See https://shop.example.com/deals?a=1, today.', 'https://shop.example.com/deals?a=1', 'See {}, today.'],
  ['(https://shop.example.com/mugs_(blue))', 'https://shop.example.com/mugs_(blue)', '({})'],
  ['[https://shop.example.com/?ids=[1]]!', 'https://shop.example.com/?ids=[1]', '[{}]!'],
  ['"HTTPS://shop.example.com/?q=1&p=2"', 'HTTPS://shop.example.com/?q=1&p=2', '"{}"'],
  ['http://[::1]:8080/x', 'http://[::1]:8080/x', '{}'],
  ['At https://user:key@shop.example.com/.', 'https://user:key@shop.example.com/', 'At {}.'],
  ["https://shop.example.com/women's-shoes?size=4", "https://shop.example.com/women's-shoes?size=4", '{}'],
  ["See 'https://shop.example.com/sale'.", 'https://shop.example.com/sale', "See '{}'."],
  ['“https://shop.example.com/sale” is on', 'https://shop.example.com/sale', '“{}” is on'],
  ['https://shop.example.com/sale。谢谢', 'https://shop.example.com/sale', '{}。谢谢'],
  ['https://shop.example.com/sale…', 'https://shop.example.com/sale', '{}…'],
] as const)('in %j the link is found to its end', async ([words, url, around]) => {
  const { links, text: shortened } = await text(words);
  expect(links.map((link) => link.url)).toEqual([url]);
  expect(shortened).toBe(around.replace('{}', links[0]?.shortUrl ?? ''));
  expect((await follow(links[0]?.shortUrl)).location).toBe(url);
});

test.for(['https://%zz', 'https://', 'ftp://shop.example.com/', 'javascript:alert(1)'])(
  '%s is not a URL to shorten',
  async (words) => {
    expect(await text(words)).toMatchObject({ text: words, links: [] });
  },
);

test('a non-ASCII URL is stored as it was written, and followed percent-encoded', async () => {
  const { links } = await text('https://shop.example.com/größe→?q=ü');
  expect(links[0]?.url).toBe('https://shop.example.com/größe→?q=ü');
  const { status, location } = await follow(links[0]?.shortUrl);
  expect([status, location]).toEqual([302, 'https://shop.example.com/gr%C3%B6%C3%9Fe%E2%86%92?q=%C3%BC']);
});

test('in HTML the URLs of anchors are shortened; images, namespaces and visible text are not', async () => {
  const html = [
    '<html xmlns="http://www.w3.org/1999/xhtml"><img src="https://cdn.example.com/a.png">',
    `<a class='x' href='https://shop.example.com/?a=1&amp;b=2'>https://shop.example.com/</a>`,
    '<a href="mailto:ada@example.com">Mail</a></html>',
  ];
  const message = await mail(html.join(''));
  expect(message.links.map(({ url }) => url)).toEqual(['https://shop.example.com/?a=1&b=2']);
  expect(message.html).toBe(
    html.join('').replace(`'https://shop.example.com/?a=1&amp;b=2'`, `"${message.links[0]?.shortUrl}"`),
  );
});

test('in HTML the attribute href is read, with or without quotes, and no other one', async () => {
  const { html, links } = await mail(
    [
      '<a data-href="https://shop.example.com/1" HREF="https://shop.example.com/2">two</a>',
      '<a title="an href=https://shop.example.com/3" href=https://shop.example.com/4>four</a>',
      '<a href="https://shop.example.com/?q=%22&quot;a&#39;b">five</a><abbr href="https://shop.example.com/6">',
    ].join(''),
  );
  const [two, four, five] = links.map(({ shortUrl }) => shortUrl);
  expect(links.map(({ url }) => url)).toEqual([
    'https://shop.example.com/2',
    'https://shop.example.com/4',
    `https://shop.example.com/?q=%22"a'b`,
  ]);
  expect(html).toBe(
    [
      `<a data-href="https://shop.example.com/1" HREF="${two}">two</a>`,
      `<a title="an href=https://shop.example.com/3" href="${four}">four</a>`,
      `<a href="${five}">five</a><abbr href="https://shop.example.com/6">`,
    ].join(''),
  );
});

test.for([
  ['no href', '<a name="top">Top</a>', []],
  ['nothing but its text', '<a>Nowhere</a>', []],
  ['an empty href', '<a href="">Nowhere</a>', []],
  ['white space around its URL', '<a href=" https://shop.example.com/1\n">one</a>', ['https://shop.example.com/1']],
  [
    'entities',
    '<a href="https://shop.example.com/?a=1&AMP;b=2&#38;c=3&#x26;d=4">two</a>',
    ['https://shop.example.com/?a=1&b=2&c=3&d=4'],
  ],
  [
    'entities that mean no character of a URL',
    '<a href="https://shop.example.com/?a=&#0;&#1114112;&eacute;">three</a>',
    ['https://shop.example.com/?a=&#0;&#1114112;&eacute;'],
  ],
  ['a URL of 1,024 characters', `<a href="${longUrl(1_024)}">four</a>`, [longUrl(1_024)]],
  ['a URL of 1,025 characters', `<a href="${longUrl(1_025)}">five</a>`, []],
] as const)('an anchor with %s has the links that can be followed', async ([, html, urls]) => {
  const { links } = await mail(html);
  expect(links.map(({ url }) => url)).toEqual(urls);
});

test('a short link of an event, put into a message, reports clicks with the original URL', async () => {
  await sandbox.call('POST', '/events/custom', {
    json: {
      type: 'Shipped',
      user: { phone: ada.phone },
      properties: { a: 'https://shop.example.com/1', b: 'https://shop.example.com/1' },
    },
  });
  const { store } = sandbox.emulator.deps;
  const body = [...store.events.all()].at(-1)?.body;
  const shortened = body?.['shortened'] as Record<string, string> | undefined;
  expect(store.shortLinks.size).toBe(1);
  const { links } = await text(`Yours: ${shortened?.['https://shop.example.com/1']}`);
  expect(links.map(({ url }) => url)).toEqual(['https://shop.example.com/1']);
});

test('a short link of another company is shortened as it is, so that its target stays with that company', async () => {
  const { links } = await text('https://shop.example.com/secret');
  const json = { type: 'Visit', user: { phone: ada.phone }, properties: { link: links[0]?.shortUrl } };
  await sandbox.call('POST', '/events/custom', { json, key: 'sandpiper-other-key' });
  const { store } = sandbox.emulator.deps;
  expect([...store.shortLinks.all()].map(({ url }) => url)).toEqual([links[0]?.url, links[0]?.shortUrl]);
});

test('a URL value is shortened with its user name, and without the white space around it', async () => {
  const [named, spaced] = ['https://user:key@shop.example.com/', ' https://shop.example.com/ws\n'];
  const properties = { named, spaced, words: 'https://shop.example.com/ and more' };
  await sandbox.call('POST', '/events/custom', { json: { type: 'Visit', user: { phone: ada.phone }, properties } });
  const shortened = [...sandbox.emulator.deps.store.events.all()].at(-1)?.body['shortened'] as Record<string, string>;
  expect(Object.keys(shortened)).toEqual([named, spaced]);
  expect((await follow(shortened[named])).location).toBe(named);
  expect((await follow(shortened[spaced])).location).toBe('https://shop.example.com/ws');
});

test('the URLs in a custom event sent by GraphQL are shortened too', async () => {
  const query = 'mutation ($input: CreateCustomEventInput!) { createCustomEvent(input: $input) { properties } }';
  const properties = JSON.stringify({ page: 'https://shop.example.com/graphql' });
  const input = { type: 'Visit', user: { phone: ada.phone }, properties };
  const { body } = await sandbox.call('POST', '/graphql', { json: { query, variables: { input } } });
  expect(body).toMatchObject({ data: { createCustomEvent: { properties } } });
  expect([...sandbox.emulator.deps.store.shortLinks.all()].map(({ url }) => url)).toEqual([
    'https://shop.example.com/graphql',
  ]);
});

test('an unknown link gets a page, with everything in it escaped', async () => {
  const answer = await fetch(`${sandbox.emulator.authUrl}/l/${encodeURIComponent('<script>"x')}`);
  const page = await answer.text();
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('x-sandbox-rule')).toBe('links.unknown');
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain('<script');
  const explained = answer.headers.get('x-sandbox-explain') ?? '';
  expect(explained).toMatch(/#\/requests\/req_/);
  expect(page).toContain(`<a href="${explained}">`);
});

test('the pages that a person sees instead of a link, of an installation, of the inspector or of a fault look alike, also in the dark', async () => {
  const [link, install] = [
    `${sandbox.emulator.authUrl}/l/abc`,
    `${sandbox.emulator.authUrl}/integrations/oauth-install`,
  ];
  const lookOf = async (url: string): Promise<string | undefined> =>
    /<style>(.*)<\/style>/s.exec(await (await fetch(url)).text())?.[1];
  const looks = [await lookOf(link), await lookOf(install), await lookOf(sandbox.emulator.inspectorUrl)];
  const fault = { operation: 'GET /l/{id}', status: 503, times: 1 };
  expect((await sandbox.control('POST', '/control/faults', fault)).status).toBe(201);
  looks.push(await lookOf(link));
  expect(looks).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('prefers-color-scheme:dark')));
  expect(new Set(looks).size).toBe(1);
});

test.for(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '//shop.example.com/'])(
  'a stored link to %s is not followed',
  async (url) => {
    const { store } = sandbox.emulator.deps;
    const [{ id, companyId } = { id: '', companyId: '' }] = store.users.all();
    const createdAt = '2026-01-01T00:00:00.000Z';
    const kept = {
      id: 'from-a-file',
      companyId,
      userId: id,
      url,
      messageId: null,
      eventId: null,
      clicks: 0,
      createdAt,
    };
    store.transact(() => store.shortLinks.put(kept));
    const { status, location } = await follow(`${sandbox.emulator.authUrl}/l/from-a-file`);
    expect([status, location]).toEqual([404, null]);
    expect(store.shortLinks.get('from-a-file')?.clicks).toBe(0);
  },
);

test('following a link sends nothing to the next site, and only checking its target is not a click', async () => {
  const { links } = await text('https://shop.example.com/');
  const head = await fetch(links[0]?.shortUrl ?? '', { method: 'HEAD', redirect: 'manual' });
  expect([head.status, head.headers.get('location')]).toEqual([302, 'https://shop.example.com/']);
  expect(sandbox.emulator.deps.store.shortLinks.get(links[0]?.id ?? '')?.clicks).toBe(0);
  const { headers } = await follow(links[0]?.shortUrl);
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
  expect(sandbox.emulator.deps.store.shortLinks.get(links[0]?.id ?? '')?.clicks).toBe(1);
});

test('the oldest messages are removed with their links when there are too many', () => {
  const { store, deliveries, urls, users } = sandbox.emulator.deps;
  const messages = createMessages({ store, deliveries, urls, kept: 10 });
  const [company] = store.companies.all();
  const user = users.find(company?.id ?? '', { phone: ada.phone })[0];
  if (!user) throw new Error('Ada is of the demo world.');
  const draft = { user, to: ada.phone, channel: 'TEXT', type: 'ONE_TIME', name: 'n', cause: 'c' } as const;
  store.transact(() => {
    for (let at = 0; at < 25; at += 1) messages.send({ ...draft, text: `https://shop.example.com/${at}` }, 0);
  });
  expect(store.messages.size).toBeLessThanOrEqual(12);
  expect(store.shortLinks.size).toBe(store.messages.size);
  expect([...store.messages.all()].at(-1)?.links[0]?.url).toBe('https://shop.example.com/24');
});
