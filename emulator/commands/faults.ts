import type { FaultView, LimitsView } from '../control/calls.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toFaultSentence } from './fault-sentence.ts';
import { UsageError } from './usage.ts';

export interface FaultOptions extends ConnectOptions {
  readonly status?: string;
  readonly retryAfter?: string;
  readonly delay?: string;
  readonly cut?: string | true;
  readonly reset?: boolean;
  readonly after?: boolean;
  readonly times?: string;
  readonly every?: string;
  readonly clear?: string | true;
}

/**
 * `sandpiper fault OPERATION`: sets a fault. Without an operation it lists the faults; with --clear it removes them.
 */
export async function fault(word: string | undefined, options: FaultOptions): Promise<void> {
  const { clear, status, retryAfter, delay, reset, after, times, every } = options;
  // The value of --cut and --clear is optional: the parser takes an operation right after them for the value.
  const [operation, cut] =
    word === undefined && isOperation(options.cut) ? [options.cut, true as const] : [word, options.cut];
  if (clear !== undefined) {
    if (operation !== undefined || isOperation(clear))
      throw new UsageError('--clear takes the id of a fault, which "sandpiper fault" lists, and no operation.');
    return clearFaults(clear === true ? null : clear, options);
  }
  if (operation === undefined) {
    if ([status, retryAfter, delay, cut, reset, after, times, every].some((one) => one !== undefined))
      throw new UsageError('Name the operation that fails, such as "POST /subscriptions", or "*" for any.');
    return listFaults(options);
  }
  if ([status, retryAfter, delay, cut, reset].every((one) => one === undefined))
    throw new UsageError('Say how it fails: --status, --delay, --cut or --reset.');
  const made = await connect(options).call('POST /control/faults', {
    body: {
      operation,
      ...toNumbers({ status, 'retry-after': retryAfter, times, every }),
      ...(cut === true ? { cut } : toNumbers({ cut })),
      delay,
      reset,
      after,
    },
  });
  print(options, made, `${toFaultSentence(made)}\n"sandpiper fault --clear ${made.id}" removes it.`);
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

function toNumbers(texts: { readonly [option: string]: string | undefined }): { readonly [field: string]: number } {
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    given.map(([option, text]) => {
      if (!/^\d+$/.test(text)) throw new UsageError(`--${option} takes a whole number, not "${text}".`);
      return [option === 'retry-after' ? 'retryAfter' : option, Number(text)];
    }),
  );
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
