import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorText } from '../errors.ts';
import { inHeader, toRefusal, type Refusal } from '../rules.ts';
import { inputRules } from './input-rules.ts';
import type { Recorder } from './recorder.ts';

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly reason?: string };

const place = inHeader('');

/** The rule broken by a request that Node's HTTP parser could not read. */
function refusalOf({ code, reason, message }: ParserError): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return toRefusal(inputRules.headSize, place, undefined, undefined);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return toRefusal(inputRules.chunkSize, place, undefined, undefined);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return toRefusal(inputRules.headTime, place, undefined, undefined);
    default:
      return toRefusal(inputRules.http, place, undefined, { problem: reason ?? message });
  }
}

/** Answers and records what Node's HTTP parser cannot read, so that everything that reaches the port is visible. */
export function answerBrokenRequests(server: Server, recorder: Recorder): void {
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const refusal = refusalOf(error);
    const { message, rule } = refusal;
    const { status } = rule;
    recorder.broken(error.rawPacket ?? Buffer.alloc(0), socket.remoteAddress ?? '', refusal);
    const { type, text } = toErrorText('message', { status, message, reference: 0 });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${type}`,
      `x-sandbox-rule: ${rule.id}`,
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    return undefined;
  });
}
