import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Recorder } from './recorder.ts';

const problems: { readonly [code: string]: readonly [status: number, message: string] } = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than the 16 KB that this server reads.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are larger than this server reads.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The head of the request did not arrive in time.'],
};

/** Answers and records what Node's HTTP parser cannot read: nothing that reaches the port goes unseen. */
export function answerBrokenRequests(server: Server, recorder: Recorder): void {
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer; reason?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const [status, message] = problems[error.code ?? ''] ?? [
      400,
      `This is not HTTP that the server can read: ${error.reason ?? error.message}.`,
    ];
    recorder.broken(error.rawPacket ?? Buffer.alloc(0), socket.remoteAddress ?? '', message);
    const body = JSON.stringify({ message });
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-sandbox-rule: request.http\r\n`;
    socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
    return undefined;
  });
}
