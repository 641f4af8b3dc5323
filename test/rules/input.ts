import { deflateSync, gzipSync } from 'node:zlib';
import { defaultChoices } from '../../emulator/http/choices.ts';
import type { Violation } from './violation.ts';

const url = 'http://localhost:3000/webhooks';
const json = { url, events: ['sms.sent'] };
const post = { method: 'POST', path: '/webhooks' };
const asJson = { 'content-type': 'application/json' };

const strict = { choices: { ...defaultChoices, unknownFields: 'refuse' } } as const;
const toCut = 'Only the sender knows what can be left out.';
const toChoose = 'Only the sender knows what is to be sent.';
const attributes = { method: 'POST', path: '/attributes/custom' };

export const inputViolations: readonly Violation[] = [
  {
    rule: 'request.not-emulated',
    request: { method: 'POST', path: '/text/send', json: {} },
    noEdit: 'There is nothing to call in its place.',
  },
  {
    rule: 'input.unknown-field',
    options: strict,
    request: { ...attributes, json: { properties: { age: 24 }, user: { emial: 'ada@example.com' } } },
  },
  {
    rule: 'input.unknown-field',
    options: strict,
    request: { ...attributes, json: { properties: { age: 24 }, user: { email: 'ada@example.com' }, foo: 1 } },
  },
  {
    rule: 'body.repeated-name',
    options: strict,
    request: {
      ...attributes,
      raw: '{"properties":{"age":24,"age":25},"user":{"email":"a@example.com", "email":"ada@example.com"}}',
      headers: asJson,
    },
  },
  {
    rule: 'body.number',
    request: {
      method: 'POST',
      path: '/attributes/custom',
      raw: '{"properties":{"age":24,"height":1e400},"user":{"email":"ada@example.com"}}',
      headers: { 'content-type': 'application/json' },
    },
  },
  {
    rule: 'store.unsaved',
    request: { ...attributes, json: { properties: { age: 24 }, user: { email: 'ada@example.com' } } },
    noEdit: 'The request is right; the disk is full.',
    async before({ emulator }) {
      const { store } = emulator.deps;
      const { transactInGroup } = store;
      store.transactInGroup = () => {
        store.transactInGroup = transactInGroup;
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      };
    },
  },
  { rule: 'request.unknown-path', request: { method: 'GET', path: '/webhook' } },
  { rule: 'request.method', request: { method: 'DELETE', path: '/me' } },
  {
    rule: 'request.cross-site',
    request: {
      method: 'GET',
      path: '/me',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    },
  },
  { rule: 'request.path-encoding', request: { method: 'GET', path: '/%zz/me' } },
  { rule: 'request.path-encoding', request: { method: 'GET', path: '/caf%E9%C3%A9%zz/me' } },
  {
    rule: 'body.content-type',
    request: { ...post, raw: JSON.stringify(json), headers: { 'content-type': 'text/plain' } },
  },
  {
    rule: 'body.content-encoding',
    request: { ...post, raw: JSON.stringify(json), headers: { ...asJson, 'content-encoding': 'zstd' } },
  },
  { rule: 'body.too-large', request: { ...post, json: { ...json, more: 'x'.repeat(1024 * 1024) } }, noEdit: toCut },
  { rule: 'body.missing', request: post, noEdit: toChoose },
  {
    rule: 'body.utf-8',
    request: { ...post, raw: Buffer.from(JSON.stringify({ ...json, url: `${url}/café` }), 'latin1'), headers: asJson },
  },
  { rule: 'body.utf-8', request: { ...post, raw: gzipSync(JSON.stringify(json)), headers: asJson } },
  {
    rule: 'body.utf-8',
    request: { ...post, raw: Buffer.from(`\ufeff${JSON.stringify(json)}`, 'utf16le'), headers: asJson },
  },
  {
    rule: 'body.utf-8',
    request: { ...post, raw: deflateSync(JSON.stringify(json)), headers: asJson },
    noEdit: 'What the bytes are is not certain.',
  },
  {
    rule: 'body.content-encoding',
    request: {
      ...post,
      raw: gzipSync(JSON.stringify(json)),
      headers: { ...asJson, 'content-encoding': 'deflate' },
    },
  },
  {
    rule: 'body.content-encoding',
    request: { ...post, raw: deflateSync(JSON.stringify(json)), headers: { ...asJson, 'content-encoding': 'gzip' } },
    noEdit: 'What the bytes are is not certain.',
  },
  ...[gzipSync(JSON.stringify(json)).subarray(0, -9), Buffer.concat([gzipSync('{}'), Buffer.from([1])])].map(
    (raw): Violation => ({
      rule: 'body.content-encoding',
      request: { ...post, raw, headers: { ...asJson, 'content-encoding': 'gzip' } },
      noEdit: 'Compressed data that is damaged has to be made again.',
    }),
  ),
  {
    rule: 'body.utf-8',
    request: {
      ...post,
      raw: gzipSync(gzipSync(JSON.stringify(json))),
      headers: { ...asJson, 'content-encoding': 'gzip' },
    },
    noEdit: 'The text is inside of what is compressed twice.',
  },
  {
    rule: 'body.json',
    request: { ...post, raw: '{"url": "http://localhost:3000/", "events": ["sms.sent",]}', headers: asJson },
  },
  { rule: 'body.too-many', request: { ...post, raw: `[${'[],'.repeat(70_000)}[]]`, headers: asJson }, noEdit: toCut },
  {
    rule: 'body.depth',
    request: { ...post, raw: `${'['.repeat(65)}${']'.repeat(65)}`, headers: asJson },
    noEdit: toCut,
  },
  {
    rule: 'body.too-many-names',
    request: {
      ...post,
      raw: `{${Array.from({ length: 100_001 }, (_name, at) => `"${at.toString(36)}":1`)}}`,
      headers: asJson,
    },
    noEdit: toCut,
  },
  {
    rule: 'body.too-many-fields',
    request: {
      method: 'POST',
      path: '/authorization-codes/tokens',
      raw: 'code=1&'.repeat(1_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      key: null,
    },
    noEdit: toCut,
  },
  {
    rule: 'body.unsafe-key',
    request: {
      ...post,
      raw: `{"url": "${url}", "events": ["sms.sent"], "__proto__": {"admin": true}}`,
      headers: asJson,
    },
  },
  { rule: 'input.required', request: { ...post, json: { url } }, noEdit: toChoose },
  {
    rule: 'input.required',
    request: { ...attributes, json: { properties: { age: 24 }, User: { email: 'a@example.com' } } },
  },
  { rule: 'input.type', request: { ...post, json: { ...json, events: 'sms.sent' } } },
  { rule: 'input.format', request: { ...post, json: { ...json, url: 'localhost:3000' } } },
  { rule: 'input.size', request: { ...post, json: { ...json, events: [] } }, noEdit: toChoose },
  {
    rule: 'input.choice',
    request: {
      method: 'POST',
      path: '/subscriptions',
      json: {
        user: { phone: '+15555550177' },
        locale: { language: 'en', country: 'US' },
        subscriptionType: 'marketing',
      },
    },
  },
];
