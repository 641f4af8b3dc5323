/** The specification of a fault by people and programs: what it does, and when. Pure: nothing here has an effect. */
import { cutText } from '../../contract/cut-text.ts';
import { escapePointer } from '../../contract/pointer.ts';
import { nearestOf } from '../../contract/unknown-fields.ts';
import { inBody, refuse } from '../../rules.ts';
import { isDuration, parseDuration, sayDuration } from '../../time/duration.ts';
import { faultBounds } from './bounds.ts';
import { betweenParts, faultRules } from './rules.ts';

/** One fault, checked. `operation` is an operation's name or `*`. */
export interface FaultSpec {
  readonly operation: string;
  /** Sent in the dialect of the operation; null keeps the operation's own reply. */
  readonly status: number | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** Real milliseconds, because a real client waits. */
  readonly delayMs: number | null;
  /** The reply announces its whole length and ends after this many bytes, or in the middle. */
  readonly cut: true | number | null;
  readonly reset: boolean;
  /** True: the request is handled as always, its changes stay, and only then the fault applies. */
  readonly after: boolean;
  /** How often it applies before it is used up; null if it never is. */
  readonly times: number | null;
  /** It applies to every n-th matching request; null: to every one. */
  readonly every: number | null;
}

const fields: readonly string[] = [
  'operation',
  'status',
  'retryAfter',
  'delay',
  'cut',
  'reset',
  'after',
  'times',
  'every',
];

/**
 * Checks the input of a fault: `{operation, status?, retryAfter?, delay?, cut?, reset?, after?, times?, every?}`,
 * `delay` in milliseconds or as a duration such as `2s`. Without `times` and `every` it applies once.
 * @param operations the names that `operation` may have, in addition to `*`
 * @throws Refusal at the field that is not valid
 */
export function toFaultSpec(input: { readonly [field: string]: unknown }, operations: readonly string[]): FaultSpec {
  const unknown = Object.keys(input).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    return refuse(faultRules.field, inBody(`/${escapePointer(unknown)}`), input[unknown], {
      field: shorten(unknown),
      nearest: nearestOf(unknown, fields),
      fields,
    });
  const every = toNumber(input, 'every');
  const spec: FaultSpec = {
    operation: toOperation(input['operation'], operations),
    status: toNumber(input, 'status'),
    retryAfter: toNumber(input, 'retryAfter'),
    delayMs: toDelay(input['delay']),
    cut: typeof input['cut'] === 'boolean' ? input['cut'] || null : toNumber(input, 'cut'),
    reset: toFlag(input, 'reset'),
    after: toFlag(input, 'after'),
    times: toNumber(input, 'times') ?? (every === null ? 1 : null),
    every,
  };
  checkTogether(spec);
  return spec;
}

function checkTogether({ status, retryAfter, delayMs, cut, reset }: FaultSpec): void {
  if (retryAfter !== null && status === null)
    return refuse(faultRules.retryAfter, inBody('/retryAfter'), retryAfter, { retryAfter, isReset: reset });
  if (status === null && delayMs === null && cut === null && !reset)
    return refuse(faultRules.nothing, inBody(''), undefined, undefined);
  if (reset && status !== null) return refuse(faultRules.resetStatus, inBody('/status'), status, { status });
  if (reset && cut !== null) return refuse(faultRules.resetCut, inBody('/cut'), cut, undefined);
}

function toOperation(value: unknown, operations: readonly string[]): string {
  if (value === '*') return value;
  const place = inBody('/operation');
  if (typeof value !== 'string' || value.trim() === '')
    return refuse(faultRules.operation, place, value, { operation: null, nearest: null, operations });
  const asked = value.trim().replaceAll(/\s+/g, ' ');
  if (operations.includes(asked)) return asked;
  return refuse(faultRules.operation, place, value, {
    operation: shorten(asked),
    nearest: nearestOf(asked, operations),
    operations,
  });
}

/** Cuts a text for facts; messages cut it further. No valid name is as long. */
const shorten = (text: string): string => cutText(text, 200);

/** @param name the name of the field for the person who wrote it */
function toNumber(
  input: { readonly [field: string]: unknown },
  field: keyof typeof faultBounds,
  name: string = field,
): number | null {
  const value = input[field];
  if (value === undefined || value === null) return null;
  const [least, most] = faultBounds[field];
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(faultRules.number, inBody(`/${field}`), value, { field: name, value, least, most });
}

function toFlag(input: { readonly [field: string]: unknown }, field: string): boolean {
  const value = input[field] ?? false;
  if (typeof value === 'boolean') return value;
  return refuse(faultRules.flag, inBody(`/${field}`), value, { field, value });
}

function toDelay(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseDelay(value) : Number.NaN;
  // A delay of 0 is the same as none, as `cut: false` is.
  if (Number.isInteger(ms) && ms >= 0 && ms <= faultBounds.delayMs[1]) return ms || null;
  return refuse(faultRules.delay, inBody('/delay'), value, { value });
}

function parseDelay(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  return isDuration(text) ? parseDuration(text) : Number.NaN;
}

/**
 * Reads the request header `x-sandbox-fault`: `status=503`, `delay=2s, cut`, `reset`. It applies to this request only.
 * @throws Refusal that names the item that is not valid; its place is as if the header were a body
 */
export function parseFaultHeader(text: string): FaultSpec {
  const input = readItems(
    text
      .split(',')
      .map((item) => item.trim())
      // As in any list of a header, an empty item says nothing (RFC 9110 section 5.6.1).
      .filter((item) => item !== ''),
  );
  for (const field of staying) {
    if (field in input) return refuse(faultRules.header, inBody(`/${field}`), text, { item: field, problem: 'stays' });
  }
  toNumber(input, 'retryAfter', 'retry-after');
  return toFaultSpec({ ...input, operation: '*' }, []);
}

const itemNames: readonly string[] = ['status', 'retry-after', 'delay', 'cut', 'reset', 'after'];
/** Items that only a fault that stays can have. */
const staying: readonly string[] = ['times', 'every'];
const flags: readonly string[] = ['cut', 'reset', 'after'];

function readItems(items: readonly string[]): { [field: string]: unknown } {
  const input: { [field: string]: unknown } = {};
  for (const item of items) {
    const [name = '', ...parts] = item.split('=');
    const wrong = (facts: Parameters<typeof faultRules.header.message>[0]): never =>
      refuse(faultRules.header, inBody(''), item, facts);
    const joined = item.split(betweenParts);
    if (joined.length > 1 && joined.every((part) => itemNames.includes(part.split('=')[0] ?? '')))
      return wrong({ item: shorten(item), problem: 'no-comma' });
    if (!itemNames.includes(name) && !staying.includes(name))
      return wrong({
        item: shorten(item),
        problem: 'unknown',
        nearest: nearestOf(name, itemNames),
        names: itemNames,
      });
    const field = name === 'retry-after' ? 'retryAfter' : name;
    if (field in input) return wrong({ item: name, problem: 'twice' });
    if (parts.length === 0 && !flags.includes(name)) return wrong({ item: name, problem: 'no-value' });
    input[field] = parts.length === 0 ? true : toValue(name, parts.join('='));
  }
  return input;
}

function toValue(name: string, text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return name !== 'delay' && /^\d+$/.test(text) ? Number(text) : text;
}

/** What a fault does, in a few words: `status 429, Retry-After 2 s, after the handler`. */
export function sayFault({ status, retryAfter, delayMs, cut, reset, after }: FaultSpec): string {
  const parts = [
    delayMs === null ? null : `delay ${sayDuration(delayMs)}`,
    status === null ? null : `status ${status}`,
    retryAfter === null ? null : `Retry-After ${retryAfter} s`,
    cut === null ? null : cut === true ? 'cut half-way' : `cut after ${cut} bytes`,
    reset ? 'connection reset' : null,
    after ? 'after the request was handled' : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
