import { connect, print, printExactly, printPainted, sayCut, type ConnectOptions } from './connect.ts';
import { screenOf, paint, type Part } from './terminal.ts';
import { UsageError } from './usage.ts';

export interface RecordsOptions extends ConnectOptions {
  readonly limit: number;
}

/**
 * `sandpiper records [KIND] [ID]`: lists the kinds of records, or the records of a kind, one on each line. With an id,
 * it shows that record with its moves and fields.
 * @param isLimited whether the command line has --limit
 */
export async function showRecords(
  kind: string | undefined,
  id: string | undefined,
  { limit, ...options }: RecordsOptions,
  isLimited = false,
): Promise<void> {
  if (isLimited && (kind === undefined || id !== undefined))
    throw new UsageError('--limit belongs to a list of records: name a kind and no id, or leave --limit out.');
  const client = connect(options);
  if (kind === undefined) {
    const { kinds } = await client.call('GET /control/record-kinds');
    const widest = Math.max(...kinds.map((one) => one.kind.length));
    const lines = kinds.map((one) =>
      paint([[one.kind.padEnd(widest + 2), 'bold'], [one.many]], screenOf(options.terminal)),
    );
    return printPainted(options, kinds, lines.join('\n'));
  }
  if (id === undefined) {
    const query = { last: limit };
    const { total, records } = await client.call('GET /control/records/{kind}', { params: { kind }, query });
    const lines = records.map((record: object) => paint(toLine(record as Shown), screenOf(options.terminal)));
    const more = 'With an id, or with --json, every field is shown.';
    printPainted(options, records, lines.length === 0 ? `There are no ${kind}.` : [...lines, more].join('\n'));
    return sayCut(options, records.length, total);
  }
  const view = await client.call('GET /control/records/{kind}/{id}', { params: { kind, id } });
  const { record, state, moves } = view;
  printExactly(
    options,
    view,
    [
      ...(state === null ? [] : [`It is ${state}. Moves:`]),
      ...moves.map(({ event, to, open, why }) => `  ${event} → ${to}  ${open ? 'possible now' : `not now: ${why}`}`),
      JSON.stringify(record, null, 2),
    ].join('\n'),
  );
}

/** The fields that many kinds of records have; any of them may be missing. */
type Shown = {
  readonly id: string;
  readonly addresses?: readonly { readonly value: string }[];
  readonly disabledAt?: unknown;
} & {
  readonly [field in (typeof telling)[number]]?: unknown;
};

/** The fields by which people tell records of a kind apart, and their state. */
const telling = [
  'name',
  'url',
  'kind',
  'type',
  'channel',
  'address',
  'to',
  'subject',
  'text',
  'subjectPhone',
  'subjectEmail',
  'status',
  'state',
] as const;

function toLine(record: Shown): readonly Part[] {
  const addresses = record.addresses?.map(({ value }) => value).join(', ');
  const disabled = typeof record.disabledAt === 'string' ? 'disabled' : undefined;
  const about = [addresses, ...telling.map((field) => record[field]), disabled].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  return [[record.id, 'bold'], [about.length > 0 ? `  ${about.join('  ')}` : '']];
}

/** `sandpiper fire KIND ID EVENT`: moves a record by hand. */
export async function fire(kind: string, id: string, event: string, options: ConnectOptions): Promise<void> {
  const params = { kind, id };
  const view = await connect(options).call('POST /control/records/{kind}/{id}/moves', { params, body: { event } });
  print(options, view, `${kind} ${id} is ${view.state}.`);
}
