import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  RequestIdSchema,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { reasonOf } from '../../errors.ts';

/** The most characters of a line: more than the control API accepts for a request to send. */
const longest = 64_000_000;

/**
 * Messages of the Model Context Protocol, one on each line. Unlike the SDK's transport, it answers lines that are not
 * messages and parameters that do not fit (JSON-RPC 2.0, section 5.1). After the end of the input it closes only when
 * everything that was read is answered.
 */
export function createLineTransport(input: Readable, output: Writable): Transport {
  /** The requests that were read and are not answered yet. */
  const open = new Set<RequestId>();
  let hasEnded = false;

  const write = (message: object): Promise<void> =>
    new Promise((resolve) => output.write(`${JSON.stringify(message)}\n`, () => resolve()));

  const transport: Transport = {
    async start() {
      void read();
    },
    async send(message) {
      await write(message);
      if (!('method' in message) && message.id !== undefined) open.delete(message.id);
      await closeIfDone();
    },
    async close() {
      transport.onclose?.();
    },
  };

  async function closeIfDone(): Promise<void> {
    if (hasEnded && open.size === 0) await transport.close();
  }

  async function read(): Promise<void> {
    try {
      for await (const line of toLines(input)) await receive(line);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
    hasEnded = true;
    await closeIfDone();
  }

  async function receive(line: string | null): Promise<void> {
    if (line === null)
      return refuse(null, ErrorCode.InvalidRequest, `A message has at most ${longest} characters. Send a shorter one.`);
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      return refuse(null, ErrorCode.ParseError, `A line is not JSON: ${reasonOf(error)}.`);
    }
    const { data: message } = JSONRPCMessageSchema.safeParse(value);
    if (!message) {
      const { data: id = null } = RequestIdSchema.safeParse((value as { readonly id?: unknown } | null)?.id);
      return refuse(id, ErrorCode.InvalidRequest, Array.isArray(value) ? oneEach : form);
    }
    if ('method' in message && 'id' in message) {
      const wrong = whatIsWrong(message);
      if (wrong !== null) return refuse(message.id, ErrorCode.InvalidParams, wrong);
      open.add(message.id);
    }
    transport.onmessage?.(message);
  }

  async function refuse(id: RequestId | null, code: ErrorCode, message: string): Promise<void> {
    transport.onerror?.(new Error(message));
    await write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  return transport;
}

/** The requests that the server answers (server.ts). It refuses all others as methods that do not exist. */
const answered = [InitializeRequestSchema, PingRequestSchema, ListToolsRequestSchema, CallToolRequestSchema];

/**
 * Says which part of a request does not fit its method; null if all fits. The SDK would answer with the data of its
 * checker.
 */
function whatIsWrong(request: JSONRPCRequest): string | null {
  const schema = answered.find(({ shape }) => shape.method.value === request.method);
  const [issue] = schema?.safeParse(request).error?.issues ?? [];
  if (!issue) return null;
  const place = `${issue.path.join('.')} of ${request.method}`;
  const wanted =
    issue.code === 'invalid_type'
      ? typeWords[issue.expected]
      : issue.code === 'invalid_value'
        ? issue.values.map((value) => JSON.stringify(value)).join(' or ')
        : undefined;
  return wanted === undefined
    ? `${place} has a value that the Model Context Protocol does not have there. Correct it, or leave it out.`
    : `${place} must be ${wanted}.`;
}

const typeWords: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const oneEach = 'A line holds one message and no list. Send each message on a line of its own.';
const form =
  'This is not a message of the Model Context Protocol. A request is such as {"jsonrpc": "2.0", "id": 1, "method": "ping"}, with an object "params" if the method has some, and nothing else.';

/** The lines of a stream without their ends; the last line may have none. A line that is too long is null. */
async function* toLines(input: Readable): AsyncGenerator<string | null> {
  let line: string | null = '';
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>)
    for (const [at, part] of chunk.split('\n').entries()) {
      if (at > 0) {
        yield line;
        line = '';
      }
      line = line === null || line.length + part.length > longest ? null : line + part;
    }
  yield line;
}
