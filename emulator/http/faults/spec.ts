/** The specification of a fault by people and programs: what it does, and when. Pure: nothing here has an effect. */
import { cutText } from '../../contract/cut-text.ts';
import { escapePointer } from '../../contract/pointer.ts';
import { nearestOf } from '../../contract/unknown-fields.ts';
import { inBody, refuse } from '../../rules.ts';
import { isDuration, parseDuration, sayDuration } from '../../time/duration.ts';
import { countBounds, effectNames, effects, sayInWords, toItem, type EffectName, type Effects } from './effects.ts';
import { betweenParts, faultRules } from './rules.ts';

/** One fault, checked. `operation` is an operation's name or `*`. */
export interface FaultSpec extends Effects {
  readonly operation: string;
  /** How often it applies before it is used up; null if it never is. */
  readonly times: number | null;
  /** It applies to every n-th matching request; null: to every one. */
  readonly every: number | null;
}

type Input = { readonly [field: string]: unknown };

const fields: readonly string[] = ['operation', ...effectNames, ...Object.keys(countBounds)];

/**
 * Checks the input of a fault: an `operation`, effects, `times` and `every`; a delay in milliseconds or as a duration
 * such as `2s`. Without `times` and `every` it applies once.
 * @param operations the names that `operation` may have, in addition to `*`
 * @throws Refusal at the field that is not valid
 */
export function toFaultSpec(input: Input, operations: readonly string[]): FaultSpec {
  const unknown = Object.keys(input).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    return refuse(faultRules.field, inBody(`/${escapePointer(unknown)}`), input[unknown], {
      field: shorten(unknown),
      nearest: nearestOf(unknown, fields),
      fields,
    });
  const every = toNumber(input, 'every', countBounds.every);
  const spec: FaultSpec = {
    operation: toOperation(input['operation'], operations),
    ...toEffects(input),
    times: toNumber(input, 'times', countBounds.times) ?? (every === null ? 1 : null),
    every,
  };
  checkTogether(spec);
  return spec;
}

function toEffects(input: Input): Effects {
  return Object.fromEntries(effectNames.map((name) => [name, toEffect(input, name)])) as unknown as Effects;
}

function toEffect(input: Input, name: EffectName): unknown {
  const effect = effects[name];
  switch (effect.takes) {
    case 'flag':
      return toFlag(input, name);
    case 'optional-number':
      return typeof input[name] === 'boolean' ? input[name] || null : toNumber(input, name, effect.bounds);
    case 'duration':
      return toDelay(input[name]);
    case 'number':
      return toNumber(input, name, effect.bounds);
  }
}

function checkTogether(spec: FaultSpec): void {
  const { status, retryAfter, cut, reset } = spec;
  if (retryAfter !== null && status === null)
    return refuse(faultRules.retryAfter, inBody('/retryAfter'), retryAfter, { retryAfter, isReset: reset });
  if (effectNames.every((name) => effects[name].alone === null || spec[name] === null || spec[name] === false))
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
  input: Input,
  field: string,
  [least, most]: readonly [number, number],
  name: string = field,
): number | null {
  const value = input[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(faultRules.number, inBody(`/${field}`), value, { field: name, value, least, most });
}

function toFlag(input: Input, field: string): boolean {
  const value = input[field] ?? false;
  if (typeof value === 'boolean') return value;
  return refuse(faultRules.flag, inBody(`/${field}`), value, { field, value });
}

function toDelay(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseDelay(value) : Number.NaN;
  // A delay of 0 is the same as none, as `cut: false` is.
  if (Number.isInteger(ms) && ms >= 0 && ms <= effects.delay.bounds[1]) return ms || null;
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
  // Before all others, so that a message says the name as the header has it.
  for (const name of effectNames) {
    const { takes, bounds } = effects[name];
    if (takes === 'number') toNumber(input, name, bounds, toItem(name));
  }
  return toFaultSpec({ ...input, operation: '*' }, []);
}

const itemNames: readonly string[] = effectNames.map(toItem);
const nameOf = (item: string): EffectName | undefined => effectNames.find((name) => toItem(name) === item);
/** Items that only a fault that stays can have. */
const staying: readonly string[] = Object.keys(countBounds);

function readItems(items: readonly string[]): { [field: string]: unknown } {
  const input: { [field: string]: unknown } = {};
  for (const item of items) {
    const [name = '', ...parts] = item.split('=');
    const wrong = (facts: Parameters<typeof faultRules.header.message>[0]): never =>
      refuse(faultRules.header, inBody(''), item, facts);
    const joined = item.split(betweenParts);
    if (joined.length > 1 && joined.every((part) => itemNames.includes(part.split('=')[0] ?? '')))
      return wrong({ item: shorten(item), problem: 'no-comma' });
    const effect = nameOf(name);
    if (effect === undefined && !staying.includes(name))
      return wrong({
        item: shorten(item),
        problem: 'unknown',
        nearest: nearestOf(name, itemNames),
        names: itemNames,
      });
    const field = effect ?? name;
    const takes = effect === undefined ? 'number' : effects[effect].takes;
    if (field in input) return wrong({ item: name, problem: 'twice' });
    if (parts.length === 0 && (takes === 'number' || takes === 'duration'))
      return wrong({ item: name, problem: 'no-value' });
    input[field] = parts.length === 0 ? true : toValue(takes, parts.join('='));
  }
  return input;
}

function toValue(takes: (typeof effects)[EffectName]['takes'], text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return takes !== 'duration' && /^\d+$/.test(text) ? Number(text) : text;
}

/** What a fault does, in a few words: `status 429, Retry-After 2 s, after the request was handled`. */
export function sayFault(spec: Effects): string {
  return sayInWords({ ...spec, delay: spec.delay === null ? null : sayDuration(spec.delay) });
}
