import { ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorText } from '../errors.ts';
import { inHeader, toRefusal, type Refusal } from '../rules.ts';
import { toRefusalHeaders, type ExplainOptions } from './explain.ts';
import { Incoming } from './incoming.ts';
import { inputRules } from './input-rules.ts';
import type { Recorder } from './recorder.ts';

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

const place = inHeader('');
const closing = { connection: 'close' };

/** The rule broken by a request that Node's HTTP parser could not read. */
function refusalOf({ code, reason, message }: ParserError): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return toRefusal(inputRules.headSize, place, undefined, undefined, closing);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return toRefusal(inputRules.chunkSize, place, undefined, undefined, closing);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return toRefusal(inputRules.headTime, place, undefined, undefined, closing);
    default:
      return toRefusal(inputRules.http, place, undefined, { problem: reason ?? message }, closing);
  }
}

export interface BrokenOptions extends Pick<ExplainOptions, 'urls' | 'answers'> {
  readonly recorder: Pick<Recorder, 'broken'>;
}

/** Answers and records what Node's HTTP parser cannot read, so that everything that reaches the port is visible. */
export function answerBrokenRequests(server: Server, { recorder, urls, answers }: BrokenOptions): void {
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const arriving = Incoming.arrivingOn(socket);
    const hasLeft = error.code === 'ECONNRESET' || (arriving && error.code === 'HPE_INVALID_EOF_STATE');
    if (hasLeft || !socket.writable) return socket.destroy();
    const refusal = refusalOf(error);
    // A request that is being read gets the refusal.
    if (arriving?.breakOff(refusal)) return undefined;
    const { message, rule } = refusal;
    const { status } = rule;
    const exchange = recorder.broken(error.rawPacket ?? Buffer.alloc(0), socket.remoteAddress ?? '', refusal);
    const { type, text } = toErrorText('message', { status, message, reference: 0 });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${type}`,
      ...Object.entries(answers === 'exact' ? {} : toRefusalHeaders(refusal, exchange, urls)).map((one) =>
        one.join(': '),
      ),
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    return undefined;
  });
}

/**
 * Requests that Node would drop (CONNECT) or answer by itself (an Expect header that it does not know) come like all others, so
 * that their host is checked, and they are recorded and explained.
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
