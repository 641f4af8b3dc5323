/** The rules about a fault that the control API, a declared world, or the header of a request asks for. */
import { formatDuration } from '../../time/duration.ts';
import { sayMonths } from '../../time/rules.ts';
import { ownRule, remove, rule, set, show, type Fix, type Place } from '../../rules.ts';
import { effectNames, effects, sayEffects, toItem } from './effects.ts';

/** The request header that asks for a fault for its own request. */
export const faultHeader = 'x-sandbox-fault';

interface HeaderFacts {
  /** The part of the header that is not valid. */
  readonly item: string;
  readonly problem: 'unknown' | 'twice' | 'no-value' | 'stays' | 'no-comma';
  /** For an unknown item: the name that was probably meant, and all names. */
  readonly nearest?: string | null;
  readonly names?: readonly string[];
}

const sayMeant = (nearest: string | null): string => (nearest === null ? '' : ` Did you mean "${nearest}"?`);

/** What people write between the parts of the header instead of a comma. */
export const betweenParts = /[;&|\s]+/;

const exampleOf = (item: string): string => {
  const name = effectNames.find((one) => toItem(one) === item);
  return name === undefined ? `${item}=3` : effects[name].example;
};

/** What is wrong with an item of the header, as a sentence. */
function sayItem({ item, problem, nearest = null, names = [] }: HeaderFacts): string {
  switch (problem) {
    case 'unknown':
      return `${show(item)} is not part of a fault.${sayMeant(nearest)} It takes ${names.join(', ')}.`;
    case 'no-comma':
      return `${show(item)} is several parts. Commas separate them: write ${item.split(betweenParts).join(', ')}.`;
    case 'twice':
      return `${show(item)} is there twice. Give it once.`;
    case 'no-value':
      return `"${item}" needs a value, as in ${exampleOf(item)}.`;
    case 'stays':
      return `${item} is for faults that stay; the header applies only to its own request. Leave it out.`;
  }
}

const longestDelay = formatDuration(effects.delay.bounds[1]);

const leaveOut = (place: Place, say: string): Fix => ({ say, edits: [remove(place)] });

/** The fix of anything that is wrong in the header. */
export const leaveHeaderOut = (place: Place): Fix =>
  leaveOut(place, 'Leave the header out, or write it like "status=503, delay=2s".');

const sayMonthsOf = (value: unknown): string => {
  const advice = typeof value === 'string' ? sayMonths(value) : null;
  return advice === null ? '' : ` ${advice}`;
};

export const faultRules = {
  header: rule<HeaderFacts>({
    id: 'faults.header',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The platform has no such header.',
    says: `The header x-sandbox-fault asks for a fault for its own request: ${effectNames.map((name) => effects[name].example).join(', ')}; joined by commas.`,
    message: (facts) => sayItem(facts),
    fix: (_facts, place) => leaveHeaderOut(place),
    facts: (facts) => ({ ...facts }),
  }),
  field: ownRule<{ readonly field: string; readonly nearest: string | null; readonly fields: readonly string[] }>({
    id: 'faults.field',
    status: 400,
    says: 'A fault has only the fields that it takes.',
    message: ({ field, nearest, fields }) =>
      `A fault has no ${show(field)}.${sayMeant(nearest)} It takes ${fields.join(', ')}.`,
    fix: ({ field }, place) => leaveOut(place, `Leave ${show(field)} out.`),
  }),
  nothing: ownRule({
    id: 'faults.nothing',
    status: 400,
    says: `A fault does something: it has ${sayEffects()}.`,
    message: () => `The fault does nothing. Give it ${sayEffects()}.`,
    fix: `Give it ${sayEffects()}.`,
  }),
  resetStatus: ownRule<{ readonly status: number }>({
    id: 'faults.reset-status',
    status: 400,
    says: 'A connection that is reset has no status.',
    message: ({ status }) => `A reset connection has no status. Leave out either the reset or the status ${status}.`,
    fix: (_facts, place) => leaveOut(place, 'Leave the status out.'),
  }),
  resetCut: ownRule({
    id: 'faults.reset-cut',
    status: 400,
    says: 'A reply is cut, or its connection is reset, not both.',
    message: () => 'A reply cannot be cut and its connection reset. Leave out one of cut and reset.',
    fix: (_facts, place) => leaveOut(place, 'Leave cut out.'),
  }),
  retryAfter: ownRule<{ readonly retryAfter: number; readonly isReset: boolean }>({
    id: 'faults.retry-after',
    status: 400,
    says: 'Retry-After goes with a status.',
    message: ({ isReset }) =>
      isReset
        ? 'A reset connection has no status, so it has no Retry-After. Leave out either the reset or Retry-After.'
        : 'Retry-After goes with a status. Add a status such as 429, or leave Retry-After out.',
    fix: ({ isReset }, place) =>
      isReset
        ? leaveOut(place, 'Leave retryAfter out.')
        : { say: 'Add a status such as 429, or leave retryAfter out.', edits: [] },
    facts: ({ retryAfter }) => ({ retryAfter }),
  }),
  operation: ownRule<{
    readonly operation: string | null;
    readonly nearest: string | null;
    readonly operations: readonly string[];
  }>({
    id: 'faults.operation',
    status: 400,
    says: 'A fault names an operation of the API, or "*" for any.',
    message: ({ operation, nearest, operations }) =>
      operation === null
        ? 'A fault needs an operation such as "GET /me", or "*" for any.'
        : `There is no operation ${show(operation)}.${sayMeant(nearest)} "*" means any.${nearest === null ? ` Operations: ${operations.join(', ')}.` : ''}`,
    fix: ({ operation, nearest }, place) =>
      operation === null
        ? { say: 'Name an operation, or send "*" for any.', edits: [] }
        : nearest === null
          ? { say: 'Send "*" for any operation.', edits: [set(place, '*')] }
          : { say: `Send "${nearest}", or "*" for any.`, edits: [set(place, nearest)] },
  }),
  number: ownRule<{ readonly field: string; readonly value: unknown; readonly least: number; readonly most: number }>({
    id: 'faults.number',
    status: 400,
    says: 'The numbers of a fault are whole and within their bounds.',
    message: ({ field, value, least, most }) =>
      `${field} must be a whole number from ${least} to ${most}, not ${show(value)}.`,
    fix: ({ field, least, most }, place) => leaveOut(place, `Send ${field} from ${least} to ${most}, or leave it out.`),
    facts: ({ field, least, most }) => ({ field, least, most }),
  }),
  flag: ownRule<{ readonly field: string; readonly value: unknown }>({
    id: 'faults.flag',
    status: 400,
    says: 'A switch of a fault is true or false.',
    message: ({ field, value }) => `${field} must be true or false, not ${show(value)}.`,
    fix: ({ field }, place) => leaveOut(place, `Send ${field} as true or false, or leave it out.`),
    facts: ({ field }) => ({ field }),
  }),
  delay: ownRule<{ readonly value: unknown }>({
    id: 'faults.delay',
    status: 400,
    says: `The delay of a fault is in milliseconds, or a duration such as 2s, up to ${longestDelay}.`,
    message: ({ value }) =>
      `delay must be milliseconds or a duration such as 2s, at most ${longestDelay}, not ${show(value)}.${sayMonthsOf(value)}`,
    fix: 'Send a delay such as "2s".',
    facts: () => ({ mostMs: effects.delay.bounds[1] }),
  }),
  most: ownRule<{ readonly most: number }>({
    id: 'faults.most',
    status: 400,
    says: 'The number of faults that wait at once is limited.',
    message: ({ most }) =>
      `${most} faults already wait. Remove some in the Faults view or with "sandpiper fault --clear".`,
    fix: 'Remove some of the faults that wait.',
  }),
} as const;
