import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { serve, stop, type Served } from '../support/process.ts';

const suite = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

let served: Served;
let data: string;
let bridge: Server;
const sessions = new Map<string, StreamableHTTPServerTransport>();

/** The suite speaks HTTP only: each of its sessions is led to a `sandpiper mcp` of its own, message by message. */
async function openSession(): Promise<StreamableHTTPServerTransport> {
  const http = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, http),
  });
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [join(builtApp(), 'bin/sandpiper.cjs'), 'mcp', '--data', data],
  });
  Object.assign(http, {
    onmessage: (message: JSONRPCMessage) => void stdio.send(message),
    onclose: () => void stdio.close(),
  });
  Object.assign(stdio, { onmessage: (message: JSONRPCMessage) => void http.send(message) });
  await stdio.start();
  await http.start();
  return http;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text === '' ? undefined : JSON.parse(text);
}

beforeAll(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'sandpiper-conformance-')), 'data');
  served = await serve(['--data', data]);
  bridge = createServer((request, response) => {
    void (async () => {
      const id = String(request.headers['mcp-session-id'] ?? '');
      const session = sessions.get(id) ?? (await openSession());
      await session.handleRequest(request, response, await bodyOf(request));
    })();
  }).listen(0, '127.0.0.1');
  await once(bridge, 'listening');
});
afterAll(async () => {
  for (const session of sessions.values()) await session.close();
  bridge.closeAllConnections();
  bridge.close();
  await stop(served);
  rmSync(join(data, '..'), { recursive: true, force: true });
});

/**
 * The scenarios for a server that offers tools and nothing else. The others ask for tools, prompts and resources of a
 * server that is made for the suite (`test_simple_text`, …), or for features that this server does not announce.
 */
test.for(['server-initialize', 'ping', 'tools-list'])('the conformance suite passes %s', async (scenario) => {
  const { port } = bridge.address() as { readonly port: number };
  const url = `http://127.0.0.1:${port}/mcp`;
  const hook = resolve(import.meta.dirname, 'node-20-fs.mjs');
  const child = spawn(process.execPath, ['--import', hook, suite, 'server', '--url', url, '--scenario', scenario], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, output]).toEqual([0, expect.stringMatching(/Passed: [1-9]\d*\/\d+, 0 failed/)]);
});
