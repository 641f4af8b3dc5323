import type { ControlClient } from '../control/client/control-client.ts';
import { didYouMean } from '../errors.ts';
import { UsageError } from './usage.ts';

/**
 * Checks that the operation and the rule of a filter exist: otherwise no request can match.
 * @throws UsageError with the name that was probably meant
 */
export async function mustExist(
  client: ControlClient,
  { operation, rule }: { readonly operation?: string; readonly rule?: string },
): Promise<void> {
  if (operation !== undefined)
    mustBeAmong('operation', operation, (await client.call('GET /control/faults')).operations);
  if (rule === undefined) return;
  const { pages } = await client.call('GET /control/reference');
  const rules = pages.filter(({ kind }) => kind === 'rule').map(({ id }) => id);
  mustBeAmong('rule', rule, rules);
}

function mustBeAmong(what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new UsageError(`There is no ${what} ${JSON.stringify(name)}. ${didYouMean(name, known)}`);
}
