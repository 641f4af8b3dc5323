/** What a fault does and when, as people and programs specify it. Pure: nothing here has an effect. */
import { distance } from 'fastest-levenshtein';
import { formatDuration, parseDuration, sayDuration } from '../time/duration.ts';
import { UserError } from '../errors.ts';

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
  /** How often it applies before it is used up; null never. */
  readonly times: number | null;
  /** Applies to every n-th matching request; null to every one. */
  readonly every: number | null;
}

/** The longest delay: clients time out before that. */
const longestDelayMs = 60 * 60_000;

const bounds = {
  status: [400, 599],
  retryAfter: [0, 86_400],
  cut: [0, 1_000_000_000],
  times: [1, 1_000_000],
  every: [1, 1_000_000],
} as const;

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
 * @throws UserError with one sentence that names what is not valid
 */
export function toFaultSpec(input: { readonly [field: string]: unknown }, operations: readonly string[]): FaultSpec {
  const unknown = Object.keys(input).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw new UserError(
      `A fault has no "${unknown}". Did you mean "${nearest(unknown, fields)}"? It takes ${fields.join(', ')}.`,
    );
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
  if (status === null && delayMs === null && cut === null && !reset) {
    throw new UserError('The fault does nothing. Give it a status, a delay, cut or reset.');
  }
  if (reset && status !== null)
    throw new UserError(`A reset connection has no status. Leave out either reset or status=${status}.`);
  if (reset && cut !== null)
    throw new UserError('A reply cannot be cut and its connection reset. Leave out one of cut and reset.');
  if (retryAfter !== null && status === null)
    throw new UserError(`Retry-After goes with a status. Add one to retryAfter=${retryAfter}, such as 429.`);
}

function toOperation(value: unknown, operations: readonly string[]): string {
  if (value === '*') return value;
  if (typeof value !== 'string' || value.trim() === '') {
    throw new UserError('A fault needs an operation such as "GET /me", or "*" for any.');
  }
  const asked = value.trim().replaceAll(/\s+/g, ' ');
  if (operations.includes(asked)) return asked;
  throw new UserError(`There is no operation "${asked}". Did you mean "${nearest(asked, operations)}"? "*" means any.`);
}

function toNumber(input: { readonly [field: string]: unknown }, field: keyof typeof bounds): number | null {
  const value = input[field];
  if (value === undefined || value === null) return null;
  const [least, most] = bounds[field];
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UserError(`${field} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}.`);
}

function toFlag(input: { readonly [field: string]: unknown }, field: string): boolean {
  const value = input[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw new UserError(`${field} must be true or false, not ${JSON.stringify(value)}.`);
}

function toDelay(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseDelay(value) : Number.NaN;
  if (Number.isInteger(ms) && ms >= 0 && ms <= longestDelayMs) return ms;
  throw new UserError(
    `delay must be milliseconds or a duration such as 2s, at most ${formatDuration(longestDelayMs)}, not ${JSON.stringify(value)}.`,
  );
}

function parseDelay(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof RangeError) return Number.NaN;
    throw error;
  }
}

/**
 * Reads the request header `x-sandbox-fault`: `status=503`, `delay=2s, cut`, `reset`. It applies to this request only.
 * @throws UserError that names the word that is not valid
 */
export function parseFaultHeader(text: string): FaultSpec {
  const input = readItems(text.split(',').map((item) => item.trim()));
  for (const field of ['times', 'every']) {
    if (field in input)
      throw new UserError(
        `${field} is for faults that stay; the header applies only to its own request. Leave it out.`,
      );
  }
  return toFaultSpec({ ...input, operation: '*' }, []);
}

const itemNames: readonly string[] = ['status', 'retry-after', 'delay', 'cut', 'reset', 'after', 'times', 'every'];
const flags: readonly string[] = ['cut', 'reset', 'after'];

function readItems(items: readonly string[]): { [field: string]: unknown } {
  const input: { [field: string]: unknown } = {};
  for (const item of items) {
    const [name = '', ...parts] = item.split('=');
    if (!itemNames.includes(name)) {
      throw new UserError(
        `"${item}" is not part of a fault. Did you mean "${nearest(name, itemNames)}"? It takes ${itemNames.join(', ')}.`,
      );
    }
    const field = name === 'retry-after' ? 'retryAfter' : name;
    if (field in input) throw new UserError(`"${name}" is there twice. Give it once.`);
    if (parts.length === 0 && !flags.includes(name))
      throw new UserError(`"${name}" needs a value, as in ${name}=${name === 'delay' ? '2s' : '3'}.`);
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

function nearest(word: string, words: readonly string[]): string {
  return words.toSorted((one, other) => distance(one, word) - distance(other, word))[0] ?? '';
}
