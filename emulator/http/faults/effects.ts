/**
 * Everything that a fault can do, each effect once. The fields of the API, the items of the header, the options of the
 * command line and all words follow from this table. Pure, because the window uses it too.
 */
import { boolean, described, either, integer, nullable, type View } from '../../contract/shape.ts';
import { toOrdinal } from '../../contract/digits.ts';

interface Effect {
  /** How its text is read. The values of a flag are true and left out. */
  readonly takes: 'number' | 'duration' | 'flag' | 'optional-number';
  /** The least and the greatest value: others are refused, and the window says so before. Only flags have none. */
  readonly bounds: readonly [least: number, most: number] | null;
  /** An item of the header, as documents and messages show it. */
  readonly example: string;
  /** Its name among what a fault can do; null if it only adds to another effect. */
  readonly alone: string | null;
  /** The field as clients send it. */
  readonly sent: object;
  /** The field as replies have it: null, or false for a flag, if the fault does not have the effect. */
  readonly shown: object;
  /** What the help of the command line shows instead of the value, and what it says. */
  readonly option: readonly [value: string, help: string];
  /** A few words about it. A duration is given as people read it. */
  words(value: never): string;
  /** The place of `tells` in a sentence: before the answer, as the answer, or added to the answer. */
  readonly part: 'handling' | 'wait' | 'answer' | 'detail';
  tells(value: never): string;
}

/** The effects in the order in which messages list them. The bounds of `delay` are in real milliseconds. */
export const effects = {
  status: {
    takes: 'number',
    bounds: [400, 599],
    example: 'status=503',
    alone: 'a status',
    sent: {
      type: 'integer',
      description: '400 to 599, answered in the dialect of the operation.',
      examples: [503],
    },
    shown: nullable(integer),
    option: ['<number>', 'answer with this status, and an error in the form of the platform'],
    words: (status: number) => `status ${status}`,
    part: 'answer',
    tells: (status: number) => `is answered with ${status}`,
  },
  retryAfter: {
    takes: 'number',
    bounds: [0, 86_400],
    example: 'retry-after=2',
    alone: null,
    sent: described('Seconds, sent as Retry-After with the status.', integer),
    shown: described('The Retry-After of the reply, in seconds.', nullable(integer)),
    option: ['<seconds>', 'with --status: add a Retry-After header'],
    words: (seconds: number) => `Retry-After ${seconds} s`,
    part: 'detail',
    tells: (seconds: number) => ` and Retry-After ${seconds} s`,
  },
  delay: {
    takes: 'duration',
    // Clients time out before the longest.
    bounds: [0, 3_600_000],
    example: 'delay=2s',
    alone: 'a delay',
    sent: described('Real time: milliseconds, or a duration such as "2s".', { type: ['integer', 'string'] }),
    shown: described('The delay in milliseconds of real time.', nullable(integer)),
    option: ['<duration>', 'answer this much later, such as 2s; a plain number is milliseconds'],
    words: (duration: string) => `delay ${duration}`,
    part: 'wait',
    tells: (duration: string) => `waits ${duration}`,
  },
  cut: {
    takes: 'optional-number',
    bounds: [0, 1_000_000_000],
    example: 'cut',
    alone: 'a cut',
    sent: described('The body ends half-way (true), or after this number of bytes.', { type: ['boolean', 'integer'] }),
    shown: described(
      'The place where the body is cut: true for half-way, or the number of bytes before it.',
      either({ const: true }, nullable(integer)),
    ),
    option: ['[bytes]', 'send half of the body, or that many bytes, then end the connection'],
    words: (at: true | number) => sayCut(at),
    part: 'detail',
    tells: (at: true | number) => `, ${sayCut(at)}`,
  },
  reset: {
    takes: 'flag',
    bounds: null,
    example: 'reset',
    alone: 'a reset',
    sent: described('The connection is reset instead of a reply.', boolean),
    shown: boolean,
    option: ['', 'reset the connection instead of an answer'],
    words: () => 'connection reset',
    part: 'answer',
    tells: () => 'has its connection reset',
  },
  after: {
    takes: 'flag',
    bounds: null,
    example: 'after',
    alone: null,
    sent: described('The request is handled and its changes stay; then the fault applies.', boolean),
    shown: described('Whether the request is handled first: its changes stay, then the fault applies.', boolean),
    option: ['', 'handle the request first, so that its changes stay'],
    words: () => 'after the request was handled',
    part: 'handling',
    tells: () => 'is handled, so its changes stay',
  },
} as const satisfies { readonly [name: string]: Effect };

export type EffectName = keyof typeof effects;

/** The value of each effect, as a fault has it. */
export type Effects = { readonly [Name in EffectName]: View<(typeof effects)[Name]['shown']> };

export const effectNames = Object.keys(effects) as readonly EffectName[];

/** The least and the greatest number of requests to which a fault applies, and that `every` counts. */
export const countBounds = { times: [1, 1_000_000], every: [1, 1_000_000] } as const;

/** One property of each effect, under the effect's name. */
export function ofEachEffect<const P extends 'sent' | 'shown'>(
  property: P,
): { readonly [Name in EffectName]: (typeof effects)[Name][P] } {
  const entries = effectNames.map((name) => [name, effects[name][property]] as const);
  return Object.fromEntries(entries) as { [Name in EffectName]: (typeof effects)[Name][P] };
}

/** `retryAfter` → `retry-after`: a field as an item of the header, or as an option of the command line. */
export function toItem(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `a status, a delay, a cut or a reset`: what a fault can do by itself. */
export const sayEffects = (say: (name: EffectName, alone: string) => string = (_name, alone) => alone): string => {
  const said = effectNames.flatMap((name) => {
    const { alone } = effects[name];
    return alone === null ? [] : [say(name, alone)];
  });
  return `${said.slice(0, -1).join(', ')} or ${said.at(-1)}`;
};

/** Effects as they are said: a duration is a text. Those that are null, false or left out are not said. */
export type SaidEffects = {
  readonly [Name in EffectName]?: (Name extends 'delay' ? string : Effects[Name]) | boolean | null | undefined;
};

/** What a fault does, in a few words: `delay 2 s, status 429, Retry-After 2 s`. */
export function sayInWords(said: SaidEffects): string {
  const isWait = (name: EffectName): boolean => effects[name].part === 'wait';
  const names = [...effectNames.filter(isWait), ...effectNames.filter((name) => !isWait(name))];
  return tell(said, names, 'words').join(', ');
}

/** A fault as a sentence: `The next GET /me is answered with 503 and Retry-After 2 s.` */
export function toSentence({
  operation,
  times = null,
  every = null,
  ...said
}: SaidEffects & {
  readonly operation: string;
  readonly times?: number | null | undefined;
  readonly every?: number | null | undefined;
}): string {
  const partOf = (part: Effect['part']): readonly string[] =>
    tell(
      said,
      effectNames.filter((name) => effects[name].part === part),
      'tells',
    );
  const [answer = 'gets its usual answer'] = partOf('answer');
  const steps = [...partOf('handling'), ...partOf('wait'), answer + partOf('detail').join('')];
  return `${toSubject(operation, times, every)} ${steps.join(', then ')}.`;
}

function tell(said: SaidEffects, names: readonly EffectName[], by: 'words' | 'tells'): readonly string[] {
  return names.flatMap((name) => {
    const value = said[name] ?? false;
    return value === false ? [] : [effects[name][by](value as never)];
  });
}

function toSubject(operation: string, times: number | null, every: number | null): string {
  const isAny = operation === '*';
  const what = isAny ? 'request of any operation' : operation;
  if (every !== null) return `Every ${toOrdinal(every)} ${what}${times === null ? '' : `, ${times} times in all,`}`;
  if (times === null || times === 1) return `The next ${what}`;
  return `Each of the next ${times} ${isAny ? 'requests of any operation' : operation}`;
}

function sayCut(at: true | number): string {
  return at === true ? 'cut half-way' : `cut after ${at} bytes`;
}
