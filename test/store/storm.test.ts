import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { serve, type Server } from './serve.ts';
import { newFolder, open } from './support.ts';

interface Answer {
  /** The event that was sent; null for a request that reads. */
  readonly event: string | null;
  readonly status: number;
  readonly text: string;
}

/** Fifty connections send events, and every tenth request reads, until `isOver`, or until the server is killed. */
async function storm(
  { apiUrl }: Pick<Server, 'apiUrl'>,
  name: string,
  isOver: (answers: readonly Answer[]) => boolean,
): Promise<readonly Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const answers: Answer[] = [];
  let next = 0;
  const send = (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const event = next++ % 10 === 9 ? null : `${name}-${next}`;
      const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };
      const sent = request(
        `${apiUrl}${event === null ? '/me' : '/events/custom'}`,
        { agent, method: event === null ? 'GET' : 'POST', headers },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (more: string) => (text += more));
          answer.once('end', () => resolve({ event, status: answer.statusCode ?? 0, text }));
          answer.once('error', reject);
        },
      );
      sent.once('error', reject);
      const person = { phone: `+1555555${1000 + (next % 100)}` };
      sent.end(event && JSON.stringify({ type: 'Storm', externalEventId: event, user: person }));
    });
  const connection = async (): Promise<void> => {
    while (!isOver(answers)) answers.push(await send());
  };
  const ends = await Promise.allSettled(Array.from({ length: 50 }, connection));
  agent.destroy();
  // A killed server breaks its connections; any other end is an error.
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: expect.any(String) });
  return answers;
}

async function eventsIn(folder: string): Promise<readonly string[]> {
  const store = await open(folder);
  return [...store.events.all()].flatMap(({ externalEventId }) => externalEventId ?? []);
}

const sentIn = (answers: readonly Answer[], status: number): readonly string[] =>
  answers.flatMap((one) => (one.status === status && one.event !== null ? one.event : []));

test('a kill with fifty connections at work loses nothing that was acknowledged', async () => {
  const folder = newFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round++) {
    const server = await serve(folder);
    // In the middle of the work, at another point in each round.
    const enough = 400 + Math.floor(Math.random() * 400);
    const answers = await storm(server, `round ${round}`, (so) => {
      if (so.length === enough) server.child.kill('SIGKILL');
      return false;
    });
    await server.ended;
    expect(answers.length).toBeGreaterThanOrEqual(enough);
    acknowledged.push(...sentIn(answers, 200));
  }
  const kept = new Set(await eventsIn(folder));
  expect(acknowledged.length).toBeGreaterThan(1_000);
  expect(acknowledged.filter((event) => !kept.has(event))).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'on a disk that is full, of fifty connections at work, what was acknowledged is kept and what was refused is not',
  async () => {
    const folder = newFolder();
    const server = await serve(folder, { blocks: 700 });
    const answers = await storm(server, 'full', (so) => so.filter(({ status }) => status === 500).length >= 300);
    server.child.kill('SIGKILL');
    await server.ended;
    const refused = answers.filter(({ status }) => status === 500);
    expect([...new Set(refused.map(({ text }) => text))]).toEqual([
      expect.stringMatching(/could not be written \(EFBIG.*so nothing was changed\. Raise the limit/),
    ]);
    const kept = await eventsIn(folder);
    const acknowledged = sentIn(answers, 200);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect([...kept].sort()).toEqual([...acknowledged].sort());
  },
);
