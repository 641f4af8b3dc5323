import type { Query, StreamMessage } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { toEpoch } from '../contract/formats.ts';
import { didYouMean } from '../errors.ts';
import { isDuration, parseDuration, toIso } from '../time/duration.ts';
import { connect, printPainted, type ConnectOptions } from './connect.ts';
import { noRequest } from './explain.ts';
import { follow, sayEnded } from './follow.ts';
import { toRequestLine } from './lines.ts';
import { mustExist } from './must-exist.ts';
import { listScreenOf } from './terminal.ts';
import { UsageError } from './usage.ts';

export interface LogsOptions extends ConnectOptions {
  /** How many of the newest requests are printed first. */
  readonly limit: number;
  /** Whether to continue with new requests. */
  readonly follow?: boolean;
  /** A filter such as `status:4xx operation:"POST /subscriptions"`. */
  readonly filter?: string;
}

const keys = [
  'status',
  'method',
  'path',
  'operation',
  'rule',
  'body',
  'company',
  'since',
  'until',
  'at',
  'test',
] as const;
type Filter = { readonly [key in (typeof keys)[number]]?: string };

/**
 * `sandpiper logs`: prints recorded requests, oldest first, one on each line. With `--follow` it continues until it is
 * stopped or the server ends.
 * @throws UserError if the server is lost
 */
export async function logs(options: LogsOptions): Promise<void> {
  const stop = new AbortController();
  if (options.follow) process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  try {
    await printLogs(options, stop.signal);
  } catch (error) {
    // The stop ended a call that was still waiting for its answer.
    if (!stop.signal.aborted) throw error;
  }
}

async function printLogs(options: LogsOptions, signal: AbortSignal): Promise<void> {
  const parsed = parseFilter(options.filter ?? '');
  const client = connect({ ...options, signal });
  const filter = await toQuery(parsed, client);
  const screen = listScreenOf(options.terminal);
  let after = 0;
  const printNew = async (limit: number): Promise<number> => {
    const { requests, upTo } = await client.call('GET /control/requests', { query: { ...filter, after, limit } });
    for (const request of requests) printPainted(options, request, toRequestLine(request, client.page, screen));
    after = upTo;
    return requests.length;
  };
  const printed = await printNew(options.limit);
  if (printed === 0) await mustExist(client, parsed);
  if (!options.follow) {
    // On standard error, so that a script that counts lines counts none.
    if (printed === 0 && !options.json) options.terminal.stderr.write(`${sayNone(options.filter)}\n`);
    return;
  }
  const hear = async ({ type }: StreamMessage): Promise<void> => {
    if (type === 'requests' || type === 'gap') await printNew(mostAtOnce);
  };
  const hasEnded = await follow(client, signal, hear, String(after));
  if (hasEnded && !options.json) options.terminal.stderr.write(`${sayEnded(client)}\n`);
}

const mostAtOnce = 20_000;

function sayNone(filter: string | undefined): string {
  return filter === undefined ? noRequest : `No recorded request fits ${filter}. "sandpiper logs" lists all.`;
}

/** @throws UsageError for a part that is not a filter, with the filters that exist */
function parseFilter(text: string): Filter {
  const parts = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  const seen = new Set<string>();
  return Object.fromEntries(
    parts.map((part) => {
      const [, key = '', value = ''] = /^([a-z]+):(.+)$/s.exec(part) ?? [];
      if (!keys.some((one) => one === key))
        throw new UsageError(
          `${JSON.stringify(part)} is not a filter. Write KEY:VALUE with one of ${keys.join(', ')}, such as status:4xx or operation:"POST /subscriptions".`,
        );
      if ((value.match(/"/g)?.length ?? 0) % 2 === 1)
        throw new UsageError(`The filter ${part} has one quote too many, or too few. Write ${key}:"…".`);
      if (seen.has(key)) throw new UsageError(`The filter names ${key} twice. Keep one of the two.`);
      seen.add(key);
      const wanted = value.replaceAll('"', '');
      if (key === 'status' && !/^[1-5](?:xx|\d\d)$/.test(wanted))
        throw new UsageError(
          `--filter status: ${JSON.stringify(wanted)} is not a status. Write one, such as 404, or a class of them from 1xx to 5xx.`,
        );
      return [key, wanted];
    }),
  );
}

type RequestQuery = Query<'GET /control/requests'>;

/** Replaces what only the running emulator can read: the name of a company, and a time such as `10m`. */
async function toQuery({ company, since, until, ...rest }: Filter, client: ControlClient): Promise<RequestQuery> {
  return {
    ...rest,
    ...(company !== undefined && { companyId: await toCompanyId(company, client) }),
    ...(since !== undefined && { since: await toTime('since', since, client) }),
    ...(until !== undefined && { until: await toTime('until', until, client) }),
  };
}

/** @throws UsageError for a company that does not exist, with the one that was probably meant */
async function toCompanyId(wanted: string, client: ControlClient): Promise<string> {
  const { companies } = await client.call('GET /control/welcome');
  const found = companies.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
  if (found) return found.id;
  const names = companies.map(({ name }) => name);
  throw new UsageError(`There is no company ${JSON.stringify(wanted)}. ${didYouMean(wanted, names)}`);
}

/** A time, or how long ago on the clock of the emulator. */
async function toTime(key: string, wanted: string, client: ControlClient): Promise<string> {
  if (isDuration(wanted))
    return toIso(Date.parse((await client.call('GET /control/clock')).now) - parseDuration(wanted));
  const time = toEpoch(wanted);
  if (time !== null) return toIso(time);
  throw new UsageError(
    `--filter ${key}: ${JSON.stringify(wanted)} is not a time. Write how long ago, such as 10m, or a time, such as 2026-01-31T12:00:00Z.`,
  );
}
