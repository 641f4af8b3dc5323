import { ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { discardIdleMs } from '../net/conversation.ts';
import { toErrorText } from './error-text.ts';
import { inHeader, inPath, toRefusal, type Refusal } from '../rules.ts';
import { toRefusalHeaders, type ExplainOptions } from './explain.ts';
import { Incoming } from './body/incoming.ts';
import { headBytes, inputRules } from './input-rules.ts';
import type { Recorder } from './record/recorder.ts';

type ParserError = NodeJS.ErrnoException & {
  /** The bytes that arrived last. They may begin with the end of the request before. */
  readonly rawPacket?: Buffer;
  /** The position of the problem in these bytes. */
  readonly bytesParsed?: number;
  readonly reason?: string;
};

const place = inHeader('');
const closing = { connection: 'close' };
const closedBefore = 'It got no answer: the connection was closed after the answer to the request before it.';

/**
 * The refusal of a request that Node's HTTP parser could not read.
 * @param before the request before it on its connection
 */
function refusalOf({ code, reason, message, rawPacket }: ParserError, before: IncomingMessage | undefined): Refusal {
  if (isTls(rawPacket)) return toRefusal(inputRules.tls, place, undefined, undefined, closing);
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongUrl(rawPacket)
        ? toRefusal(inputRules.headSize, inPath(''), undefined, { what: 'URL' }, closing)
        : toRefusal(inputRules.headSize, place, undefined, { what: 'head' }, closing);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return toRefusal(inputRules.chunkSize, place, undefined, undefined, closing);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return toRefusal(inputRules.headTime, place, undefined, undefined, closing);
    case 'HPE_PAUSED_H2_UPGRADE':
      return toRefusal(inputRules.http2, place, undefined, undefined, closing);
    default: {
      const problem = reason ?? message;
      return before?.headers['content-length'] === undefined
        ? toRefusal(inputRules.http, place, undefined, { problem }, closing)
        : toRefusal(inputRules.leftover, inHeader('content-length'), undefined, { problem }, closing);
    }
  }
}

/** Whether bytes are the start of TLS: a record of the type "handshake" in any version. */
function isTls(bytes: Buffer | undefined): boolean {
  return bytes?.[0] === 0x16 && bytes[1] === 0x03;
}

/**
 * Whether the request line alone is too long. In a head that arrived in several parts this cannot be seen: only the
 * last part is known.
 */
function hasLongUrl(bytes: Buffer | undefined): boolean {
  const line = bytes?.toString('latin1', 0, headBytes) ?? '';
  return /^[A-Z]+ \//.test(line) && line.length === headBytes && !line.includes('\n');
}

/**
 * The frames that end a connection for clients of HTTP/2, with a text that they show (RFC 9113 section 6.8). An answer
 * in HTTP/1.1 would be only a protocol error to them.
 */
function toGoAway(text: string): Buffer {
  const lastStream = Buffer.alloc(4);
  const http11Required = Buffer.from([0, 0, 0, 0x0d]);
  return Buffer.concat([
    toFrame(0x4, Buffer.alloc(0)), // SETTINGS, which a server sends first
    toFrame(0x7, Buffer.concat([lastStream, http11Required, Buffer.from(text)])),
  ]);
}

/** A frame of HTTP/2 about the whole connection. */
function toFrame(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  return Buffer.concat([head, payload]);
}

export interface BrokenOptions extends Pick<ExplainOptions, 'urls' | 'answers'> {
  readonly recorder: Pick<Recorder, 'broken'>;
}

/**
 * Answers and records bytes that Node's HTTP parser cannot read, so that everything that reaches the port is visible.
 */
export function answerBrokenRequests(server: Server, { recorder, urls, answers }: BrokenOptions): void {
  /** The response to the newest request of each connection. */
  const newest = new WeakMap<Socket, ServerResponse>();
  /** Connections that are closed after that response, because the bytes that follow cannot be read. */
  const ending = new WeakSet<Socket>();
  const take = ({ socket }: IncomingMessage, response: ServerResponse): void => void newest.set(socket, response);
  server.on('request', take);
  server.on('checkContinue', take);

  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (ending.has(socket)) return undefined;
    const arriving = Incoming.arrivingOn(socket);
    const hasLeft = error.code === 'ECONNRESET' || (arriving && error.code === 'HPE_INVALID_EOF_STATE');
    // Browsers open connections in advance, and health checks only connect: then there is no request to refuse.
    const isUnused = socket.bytesRead === 0;
    if (hasLeft || isUnused || !socket.writable) return socket.destroy();
    const before = newest.get(socket);
    const refusal = refusalOf(error, before?.req);
    // A request that is being read gets the refusal.
    if (arriving?.breakOff(refusal)) return undefined;
    const { rawPacket = Buffer.alloc(0), bytesParsed = 0 } = error;
    const from = socket.remoteAddress ?? '';
    // The client would take an answer now for the answer to the request before.
    if (before && !before.writableFinished) {
      ending.add(socket);
      before.shouldKeepAlive = false;
      before.once('close', () => socket.destroySoon());
      recorder.broken(rawPacket.subarray(bytesParsed), from, refusal, closedBefore);
      return undefined;
    }
    const { message, rule } = refusal;
    const { status } = rule;
    // A client that never ends its side keeps the connection no longer than this.
    socket.setTimeout(discardIdleMs);
    const exchange = recorder.broken(rawPacket, from, refusal);
    const explaining = Object.entries(answers === 'exact' ? {} : toRefusalHeaders(refusal, exchange, urls)).map((one) =>
      one.join(': '),
    );
    if (rule === inputRules.http2) return socket.end(toGoAway([message, ...explaining].join('\n')));
    const { type, text } = toErrorText('message', { status, message, reference: 0 });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${type}`,
      ...explaining,
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    return undefined;
  });
}

/**
 * Passes on requests that Node would drop (CONNECT) or answer by itself (an unknown Expect header). So their host is
 * checked, and they are recorded and explained, as for all other requests.
 */
export function takeEveryRequest(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    response.assignSocket(socket);
    server.emit('request', request, response);
  });
}
