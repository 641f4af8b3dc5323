import { cutJson, cutText } from '../contract/cut-text.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { ControlRefusal } from '../control/client/control-refusal.ts';
import type { Reply } from '../control/calls.ts';
import { askMeantPhone } from '../contract/meant.ts';
import { toPrintableLine } from '../contract/printable.ts';
import { mapSecretValues } from '../contract/secret-places.ts';
import { UserError } from '../errors.ts';
import { toTail } from '../records/secrets.ts';
import { connect, print, printPainted, type ConnectOptions } from './connect.ts';
import { readStory } from './explain-person.ts';
import { firstLine, toWallTime } from './lines.ts';
import { listScreenOf, paint, type Part, type Screen } from './terminal.ts';
import { UsageError } from './usage.ts';

export interface ExplainOptions extends ConnectOptions {
  /** Whether to explain the newest request. */
  readonly last?: boolean;
  /** Whether to explain the newest refused request. */
  readonly refused?: boolean;
  /** A phone, an email address or an id: explain what happened to this person. */
  readonly person?: string;
}

type Request = Reply<'GET /control/requests/{id}'>;
type Refusal = NonNullable<Request['refusal']>;

/**
 * `sandpiper explain`: shows about one request what the inspector shows: the person it was about, why it was refused
 * and at which place, the smallest fix, and what it changed. Or it lists what happened to a person.
 * @throws UserError if the request is not recorded
 */
export async function explain(named: string | undefined, options: ExplainOptions): Promise<void> {
  // The words `last` and `refused` cannot be ids, which begin with req_.
  const { last = named === 'last', refused = named === 'refused', person } = options;
  const id = named === 'last' || named === 'refused' ? undefined : named;
  if ([id !== undefined, last, refused, person !== undefined].filter(Boolean).length !== 1)
    throw new UsageError(
      'Name one request, or ask for the newest one with --last, for the newest refused one with --refused, or for what happened to a person with --person.',
    );
  const client = connect(options);
  if (person !== undefined) return explainPerson(client, person, options);
  const wanted = id ?? (await findNewest(client, refused));
  if (wanted === null)
    throw new UserError(refused ? 'No refused request is recorded. "sandpiper logs" lists all.' : noRequest);
  try {
    const request = await client.call('GET /control/requests/{id}', { params: { id: wanted } });
    printPainted(options, request, toExplanation(request, client.page, listScreenOf(options.terminal)));
  } catch (error) {
    if (error instanceof ControlRefusal && error.status === 404) throw new UserError(error.message);
    throw error;
  }
}

async function explainPerson(client: ControlClient, person: string, options: ConnectOptions): Promise<void> {
  const { causes, total, lines } = await readStory(client, person, 500);
  const none = `Nothing that happened to ${person} is known.${askMeantPhone(person)} "sandpiper records users" lists the people.`;
  print(options, causes, lines.join('\n') || none);
  if (causes.length < total)
    options.terminal.stderr.write(`These are the newest ${causes.length} of ${total}; the timeline has all.\n`);
}

/** The text of an empty list of requests. */
export const noRequest = 'No request is recorded yet. "sandpiper env" prints where to send one.';

/**
 * The id of the newest recorded request, or of the newest one that a rule refused or a fault failed; null if there is
 * none.
 */
export async function findNewest(client: ControlClient, refused: boolean): Promise<string | null> {
  const { requests } = await client.call('GET /control/requests', { query: { limit: refused ? 20_000 : 1 } });
  const found = refused ? requests.findLast(isRefused) : requests.at(-1);
  return found?.id ?? null;
}

function isRefused({ rule, status, fault }: Reply<'GET /control/requests'>['requests'][number]): boolean {
  return rule !== null || (status === null ? fault !== null : status >= 400);
}

/** A request as paragraphs; lines that do not apply to it are left out. */
export function toExplanation(request: Request, inspectorUrl: string, screen: Screen): string {
  const {
    id,
    wallAt,
    method,
    url,
    status,
    graphql,
    about,
    did,
    calledFrom,
    durationMs,
    refusal,
    failure,
    fault,
    notes,
    changes,
  } = request;
  const lines: (readonly Part[])[] = [
    [
      [`${method} ${url}`, 'bold'],
      [
        ` → ${status ?? 'no answer'}`,
        status !== null && status < 400 ? 'green' : status !== null && status < 500 ? 'yellow' : 'red',
      ],
    ],
    row('at', `${toWallTime(wallAt, screen)}${durationMs === null ? '' : `, ${Math.round(durationMs)} ms`}`),
  ];
  if (calledFrom?.place) lines.push(row('sent at', calledFrom.place));
  if (calledFrom?.test) lines.push(row('in test', calledFrom.test));
  const said = [graphql, about, did].filter((part) => part !== null).join(' ');
  if (said !== '') lines.push(row('about', said));
  if (fault !== null) lines.push(row('fault', fault.says));
  if (failure !== null) lines.push(row('failure', firstLine(failure)));
  if (refusal) {
    const { rule, source, provenance, reason, message, place, value, fix } = refusal;
    const { at = '', shown } = lookInto(refusal, screen);
    lines.push(
      [],
      [[message, 'yellow']],
      [],
      row('rule', `${rule} (${source}, ${provenance})`),
      ...(reason === '' ? [] : [row('assumed', reason)]),
      row('place', `${place.in}${place.at === '' ? '' : ` ${place.at}`}${at}`),
      ...shown.map((text, index) => row(index === 0 ? 'sent' : '', text)),
      row('fix', fix.say),
      ...fix.edits.map((edit) => row('', toEdit(edit, value))),
    );
  }
  if (changes.length > 0)
    lines.push(
      [],
      ...changes
        .slice(0, mostChanges)
        .map(({ kind, id: changed, before, after }) =>
          row(before === null ? 'created' : after === null ? 'deleted' : 'changed', `${kind} ${changed}`),
        ),
      ...(changes.length > mostChanges ? [row('', `and ${changes.length - mostChanges} more`)] : []),
    );
  if (notes.length > 0) lines.push([], ...notes.map((note) => row('note', note)));
  lines.push([], [[`${inspectorUrl}/#/requests/${id}`, 'dim']]);
  return lines.map((line) => paint(line, screen)).join('\n');
}

const mostChanges = 12;

/** The width of the names on the left, in columns. */
const nameWidth = 9;

function row(name: string, text: string): readonly Part[] {
  return [[name.padEnd(nameWidth), 'dim'], [text]];
}

/**
 * Shows what was refused. For a text of several lines, such as a query, it shows the line with a mark below the place.
 */
function lookInto(
  { value, facts }: Refusal,
  { columns }: Screen,
): { readonly at?: string; readonly shown: readonly string[] } {
  if (value === null || value === undefined) return { shown: [] };
  const { line, column } = facts;
  if (typeof value !== 'string' || typeof line !== 'number' || typeof column !== 'number')
    return { shown: [cutJson(value, 200)] };
  // A tab would be escaped, and has no fixed width.
  const text = (toTextLines(value)[line - 1] ?? '').replaceAll('\t', ' ');
  // A line that would be wrapped is cut to the part around the place, because the mark is below one line.
  const room = Math.min(200, columns - nameWidth);
  const from = Math.max(0, column - Math.min(60, Math.floor(room / 2)));
  const cut = from === 0 ? '' : '…';
  const before = toPrintableLine(`${cut}${text.slice(from, column - 1)}`);
  return {
    at: `, line ${line}, column ${column}`,
    shown: [cutText(`${cut}${text.slice(from)}`, room), `${' '.repeat(before.length)}^`],
  };
}

const toTextLines = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

function toEdit(edit: Refusal['fix']['edits'][number], sent: unknown): string {
  if (edit.op === 'replace-body') return `replace the body with ${cutText(mapSecretValues(edit.text, toTail), 200)}`;
  const place = `${edit.place.in}${edit.place.at === '' ? '' : ` ${edit.place.at}`}`;
  if (edit.op === 'remove') return `remove ${place}`;
  const line = findOnlyChange(sent, edit.value);
  if (line === null) return `set ${place} to ${cutJson(edit.value, 200)}`;
  const text = cutAroundChange(line.before, line.after, 200);
  return line.of === 1 ? `set ${place} to ${text}` : `change line ${line.number} of ${place} to ${text}`;
}

/** A text as JSON of about `length` characters, and … at each end that is cut. The change is near its start. */
function cutAroundChange(before: string, after: string, length: number): string {
  let same = 0;
  while (same < after.length && after[same] === before[same]) same += 1;
  const start = JSON.stringify(after).length <= length ? 0 : Math.max(0, same - 60);
  // Half of a character at the start would be shown as an escape.
  return `${start === 0 ? '' : '…'}${cutJson(after.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), length)}`;
}

interface ChangedLine {
  /** Counted from 1. */
  readonly number: number;
  /** How many lines the text has. */
  readonly of: number;
  readonly before: string;
  readonly after: string;
}

/** The only line that differs between two texts with as many lines; null if there is no such line. */
function findOnlyChange(before: unknown, after: unknown): ChangedLine | null {
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  const [old, next] = [toTextLines(before), toTextLines(after)];
  if (next.length !== old.length) return null;
  const changed = next.flatMap((text, index) =>
    text === old[index]
      ? []
      : [{ number: index + 1, of: next.length, before: (old[index] ?? '').trim(), after: text.trim() }],
  );
  return changed.length === 1 ? (changed[0] ?? null) : null;
}
