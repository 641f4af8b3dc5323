import type { Body, FaultView, LimitsView } from '../control/calls.ts';
import { countBounds, effectNames, effects, sayEffects, toItem, type EffectName } from '../http/faults/effects.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toFaultSentence } from './fault-sentence.ts';
import { UsageError } from './usage.ts';

/** `true` is an option without its value. */
export type FaultOptions = ConnectOptions & {
  readonly [Name in EffectName | keyof typeof countBounds | 'clear']?: string | true;
};

/**
 * `sandpiper fault OPERATION`: sets a fault. Without an operation it lists the faults; with --clear it removes them.
 */
export async function fault(word: string | undefined, options: FaultOptions): Promise<void> {
  const { clear, times, every } = options;
  const [operation, given] = word === undefined ? toOperation(options) : [word, options];
  if (clear !== undefined) {
    if (operation !== undefined || isOperation(clear))
      throw new UsageError('--clear takes the id of a fault, which "sandpiper fault" lists, and no operation.');
    return clearFaults(clear === true ? null : clear, options);
  }
  if (operation === undefined) {
    if ([...effectNames.map((name) => given[name]), times, every].some((one) => one !== undefined))
      throw new UsageError('Name the operation that fails, such as "POST /subscriptions", or "*" for any.');
    return listFaults(options);
  }
  if (effectNames.every((name) => given[name] === undefined || effects[name].alone === null))
    throw new UsageError(`Say how it fails: ${sayEffects((name) => `--${toItem(name)}`)}.`);
  const fields = [...effectNames, ...Object.keys(countBounds)] as readonly (keyof FaultBody & keyof FaultOptions)[];
  const body: FaultBody = {
    operation,
    ...Object.fromEntries(fields.map((field) => [field, toValue(field, given[field])])),
  };
  const made = await connect(options).call('POST /control/faults', { body });
  print(options, made, `${toFaultSentence(made)}\n"sandpiper fault --clear ${made.id}" removes it.`);
}

type FaultBody = Body<'POST /control/faults'>;

/** If the value of an option may be left out, the parser takes an operation right after it for the value. */
function toOperation(options: FaultOptions): readonly [operation: string | undefined, given: FaultOptions] {
  for (const name of effectNames) {
    const value = options[name];
    if (effects[name].takes === 'optional-number' && isOperation(value)) return [value, { ...options, [name]: true }];
  }
  return [undefined, options];
}

/** Whether a text is an operation, and not a number of bytes or the id of a fault. */
function isOperation(text: string | true | undefined): text is string {
  return typeof text === 'string' && /^\*$| /.test(text);
}

async function listFaults(options: ConnectOptions): Promise<void> {
  const { faults } = await connect(options).call('GET /control/faults');
  const lines = faults.map((one) => `${one.id}  ${toFaultSentence(one)} ${sayHits(one)}`);
  print(options, faults, lines.join('\n') || 'No fault is set. "sandpiper help fault" shows how to set one.');
}

function sayHits({ active, hits }: FaultView): string {
  if (!active) return 'Used up.';
  return hits === 0 ? 'Waiting.' : hits === 1 ? 'Applied once so far.' : `Applied ${hits} times so far.`;
}

async function clearFaults(id: string | null, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  if (id === null) await client.call('DELETE /control/faults');
  else await client.call('DELETE /control/faults/{id}', { params: { id } });
  print(options, { cleared: id ?? 'all' }, id === null ? 'All faults are removed.' : `The fault ${id} is removed.`);
}

/** The value of an option as a field of the fault: a number, or as it is. */
function toValue(field: string, value: string | true | undefined): string | number | true | undefined {
  const takes = field in effects ? effects[field as EffectName].takes : 'number';
  if (typeof value !== 'string' || takes === 'duration') return value;
  if (!/^\d+$/.test(value)) throw new UsageError(`--${toItem(field)} takes a whole number, not "${value}".`);
  return Number(value);
}

/** `sandpiper limits real|off`. */
export async function setLimits(mode: LimitsView['mode'], options: ConnectOptions): Promise<void> {
  const view = await connect(options).call('POST /control/limits', { body: { mode } });
  print(
    options,
    view,
    view.mode === 'real'
      ? 'Rate limits are real: requests over them are refused with 429.'
      : 'Rate limits are off: headers show them, and no request is refused for them.',
  );
}
