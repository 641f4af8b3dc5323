/** One who reads the stream slowly is told at once what was left out. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { recordMany } from '../support/record-many.ts';
import { useSandbox } from '../support/sandbox.ts';

// Checking a message of thousands of lines takes long.
const sandbox = useSandbox({ checkReplies: false });

async function watch(): Promise<IncomingMessage> {
  const { inspectorUrl, token } = sandbox.emulator;
  const request = get(`${inspectorUrl}/control/stream`, { headers: { authorization: `Bearer ${token}` } });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Reads up to a message that contains a text, and returns that. */
async function readUpTo(reader: AsyncIterator<Buffer>, wanted: string): Promise<string> {
  for (let text = ''; ;) {
    const { value, done } = await reader.next();
    if (done) throw new Error(`The stream ended before ${wanted}.`);
    text = text.slice(-1_000) + String(value);
    const at = text.indexOf(wanted);
    if (at !== -1) return text.slice(at);
  }
}

test('a reader that was too slow is told how many messages were left out, also if nothing else happens', async () => {
  const slow = await watch();
  const quick = (await watch())[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let round = 1; round <= 10; round += 1) {
    recordMany(sandbox, 4_000);
    recordMany(sandbox, 1, { url: `/v1/round-${round}` });
    await readUpTo(quick, `/v1/round-${round}"`);
  }
  const gap = await readUpTo(slow[Symbol.asyncIterator]() as AsyncIterator<Buffer>, '{"type":"gap"');
  expect(gap).toMatch(/^\{"type":"gap","skipped":[1-9]\d*\}/);
});
