/**
 * The built-in receiver, so that a developer without code can see a delivery work: a small server of its own on this
 * machine, started when it is first asked for. It replies as configured, or fails as configured, and keeps what it
 * receives.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toIso, type Clock } from '../time/clock.ts';
import { createInTurn } from '../time/in-turn.ts';
import { listen, type Listening } from '../net/listen.ts';
import { receiverPortSetting } from '../records/accounts.ts';
import type { Store } from '../store/store.ts';
import type { ReceiverBehaviour, ReceiverView } from './shapes.ts';

/** One request that it received. */
export type Received = ReceiverView['received'][number];

/** Whether it runs, and how it answers. */
export interface ReceiverState {
  /** Null while it does not run. */
  readonly port: number | null;
  readonly behaviour: ReceiverBehaviour;
}

export interface Receiver {
  view(): ReceiverView;
  state(): ReceiverState;
  /** Starts, stops or changes the receiver to match a state; at another port if its own was taken meanwhile. */
  become(state: ReceiverState): Promise<void>;
  /** Starts the receiver if it does not run, and changes how it answers. */
  start(behaviour: Partial<ReceiverBehaviour>): Promise<ReceiverView>;
  /** Removes these requests, or all, from the received ones, and returns them. */
  forget(these?: readonly Received[]): readonly Received[];
  /** Puts removed requests back, before those that were received since. */
  recall(these: readonly Received[]): void;
  stop(): Promise<void>;
}

const keptRequests = 200;
const keptBytes = 256 * 1024;
const plain: ReceiverBehaviour = { connection: 'answered', status: 200, delayMs: 0, echo: true };

/**
 * Creates the receiver; nothing listens yet. Webhooks to it are kept, so it starts at its last port again if that is
 * free, also after a restart.
 * @param keepsAlive whether the process stays alive while it listens
 */
export function createReceiver({
  store,
  clock,
  keepsAlive,
}: {
  readonly store: Pick<Store, 'settings' | 'transact'>;
  readonly clock: Clock;
  readonly keepsAlive: boolean;
}): Receiver {
  let received: ReceiverView['received'] = [];
  let count = 0;
  let behaviour = plain;
  let listening: Listening | null = null;
  let port: number | null = null;
  /** The last port in this process: an undo may take back the kept one. */
  let lastPort: number | null = null;
  /** Makes one change after the other, so that the last one decides. */
  const inTurn = createInTurn();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { connection, status, delayMs, echo } = behaviour;
    const body = await readBody(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const now = { at: toIso(clock.now()), wallAt: toIso(clock.wall()) };
    const one: Received = {
      number: ++count,
      ...now,
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      body: body.toString('utf8'),
      status: connection === 'answered' ? status : null,
    };
    received = [...received, one].slice(-keptRequests);
    if (delayMs > 0) await clock.sleepWall(delayMs);
    if (connection !== 'answered') return void request.socket.resetAndDestroy();
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
    response.end(echo && status !== 204 && status !== 304 ? body : undefined);
  };

  const listenAt = (wanted: number): Promise<Listening> => {
    const server: Server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    return listen(server, { host: '127.0.0.1', port: wanted, flag: 'port 0', keepsAlive });
  };

  const open = async (): Promise<void> => {
    if (listening) return;
    const last = port ?? lastPort ?? keptPort(store);
    // Another program may have taken the last port meanwhile.
    const opened = last === null ? await listenAt(0) : await listenAt(last).catch(() => listenAt(0));
    try {
      keepPort(store, opened.port);
    } catch (error) {
      await opened.close();
      throw error;
    }
    listening = opened;
    port = lastPort = opened.port;
  };
  const shut = async (): Promise<void> => {
    await listening?.close();
    listening = null;
  };

  const view = (): ReceiverView => ({
    running: port !== null,
    url: port === null ? null : `http://127.0.0.1:${port}/`,
    behaviour,
    received,
  });

  return {
    view,
    start: (wanted) =>
      inTurn(async () => {
        behaviour = { ...behaviour, ...wanted };
        if (port === null || behaviour.connection !== 'refused') await open();
        if (behaviour.connection === 'refused') await shut();
        return view();
      }),
    state: () => ({ port, behaviour }),
    become: (state) =>
      inTurn(async () => {
        behaviour = state.behaviour;
        port = state.port === null ? null : (port ?? state.port);
        if (port === null || behaviour.connection === 'refused') await shut();
        else await open();
      }),
    forget(these = received) {
      received = received.filter((one) => !these.includes(one));
      return these;
    },
    recall(these) {
      received = [...these, ...received].slice(-keptRequests);
    },
    stop: () =>
      inTurn(async () => {
        port = null;
        behaviour = plain;
        await shut();
      }),
  };
}

function keptPort({ settings }: Pick<Store, 'settings'>): number | null {
  const value = settings.get(receiverPortSetting)?.value;
  return typeof value === 'number' ? value : null;
}

function keepPort(store: Pick<Store, 'settings' | 'transact'>, value: number): void {
  if (value !== keptPort(store)) store.transact(() => store.settings.put({ id: receiverPortSetting, value }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (bytes < keptBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, keptBytes);
}
