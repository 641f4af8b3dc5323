import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isEmail, isE164, isHttpUrl, toEpoch } from '../../emulator/contract/formats.ts';
import { createBodyReader } from '../../emulator/http/body/body.ts';
import { Incoming } from '../../emulator/http/body/incoming.ts';
import { Refusal } from '../../emulator/rules.ts';
import { createClock } from '../../emulator/time/clock.ts';

test('a stalled body is refused with its own rule, and the received bytes are recorded', async () => {
  let kept = '';
  const clock = createClock();
  onTestFinished(() => clock.close());
  const readBody = createBodyReader(clock, 20);
  const outcome = new Promise<unknown>((resolve) => {
    const server = createServer({ IncomingMessage: Incoming }, (request, response) => {
      readBody(request, 1024, (bytes) => (kept = bytes.toString())).catch((error: unknown) => {
        response.end();
        resolve(error);
      });
    }).listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as { port: number }).port, '127.0.0.1', () =>
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'),
      );
      onTestFinished(() => {
        socket.destroy();
        server.close();
      });
    });
  });
  const error = await outcome;
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).rule).toMatchObject({ id: 'body.too-slow', status: 408 });
  expect(kept).toBe('half');
});

test('a client that left before its body is read is noticed at once', async () => {
  const clock = createClock();
  onTestFinished(() => clock.close());
  const readBody = createBodyReader(clock);
  const outcome = new Promise<unknown>((resolve) => {
    const server = createServer({ IncomingMessage: Incoming }, (request) => {
      request.socket.once('close', () => readBody(request, 1024, () => {}).catch(resolve));
    }).listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as { port: number }).port, '127.0.0.1', () =>
        socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'),
      );
      onTestFinished(() => void server.close());
    });
  });
  expect(await outcome).toMatchObject({ code: 'ECONNRESET' });
});

test('the text formats are linear: a megabyte that almost matches is checked as fast as one that does not', () => {
  const long = 1024 * 1024;
  const hostile = [
    `+${'1'.repeat(long)}`,
    `${'a'.repeat(long)}@`,
    `a@${'a.'.repeat(long / 2)}`,
    `http://${'a'.repeat(long)}`,
    `2026-01-01T00:00:00.${'9'.repeat(long)}Z`,
    '@'.repeat(long),
  ];
  for (const text of hostile) {
    const began = process.cpuUsage();
    isE164(text);
    isEmail(text);
    isHttpUrl(text);
    toEpoch(text);
    // A quadratic expression would take minutes for a megabyte; the limit only has to distinguish the two.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(2);
  }
});
