/** Holds an operation to its contract, in tests and during development: what does not fit it is a bug of ours. */
import { errorStatuses } from '../contract/error-statuses.ts';
import type { Schema } from '../contract/schema.ts';
import { sayExpected, toValidator, type Misfit } from '../contract/validate.ts';
import { Refusal, show } from '../rules.ts';
import { commonRules } from './common-rules.ts';
import { operationName, type Endpoint, type Reply } from './endpoint.ts';

/** Throws if a refusal has a status or a rule that the contract does not name: a bug, like a reply outside it. */
export function withCheckedErrors<Request extends readonly unknown[]>(
  operation: Endpoint,
  operate: (...request: Request) => Promise<Reply>,
): (...request: Request) => Promise<Reply> {
  const named = new Set([...errorStatuses(operation), ...Object.keys(operation.replies).map(Number), bodyTimeout]);
  return async (...request) => {
    try {
      return await operate(...request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { id, status } = error.rule;
      if (!named.has(status)) throw toBug(operation, error, `refused with ${status} (${id})`);
      checkRule(operation, error);
      throw error;
    }
  };
}

/** Throws if the contract does not name the rule of a refusal. */
export function checkRule(operation: Endpoint, refusal: Refusal): void {
  const { rules } = operation;
  if (rules === null || rules.includes(refusal.rule) || commonRules.includes(refusal.rule)) return;
  throw toBug(operation, refusal, `refused by ${refusal.rule.id}`);
}

function toBug(operation: Endpoint, cause: Refusal, what: string): Error {
  return new Error(`${operationName(operation)} ${what}, which its contract does not name.`, { cause });
}

/** The server's own status, for any request whose body does not arrive. */
const bodyTimeout = 408;

/**
 * Throws for a reply outside the contract, which is a bug of the emulator: during development none is sent unnoticed.
 */
export async function checkReply(operation: Endpoint, status: number, body: unknown): Promise<void> {
  const schema: Schema | null | undefined = operation.replies[status];
  if (schema === undefined)
    throw new Error(`${operationName(operation)} replied with ${status}, which its contract does not name.`);
  if (schema === null) {
    if (body !== null) throw new Error(`${operationName(operation)} replied with a body, but its contract has none.`);
    return;
  }
  const misfit = innermost((await toValidator(schema))(body));
  if (misfit) throw new Error(`${operationName(operation)} replied outside its contract at ${toMisfitText(misfit)}`);
}

/** A misfit as text: its place, the expected value, and the value that was there instead. */
export function toMisfitText(misfit: Misfit): string {
  const { pointer, value } = misfit;
  return `${pointer || 'the root'}: ${sayExpected(misfit)}${value === undefined ? '' : `, not ${show(value)}`}.`;
}

/** The most helpful error for a value that fits none of several schemas: the innermost one. */
export function innermost(misfits: readonly Misfit[]): Misfit | undefined {
  const depth = ({ pointer }: Misfit): number => pointer.split('/').length;
  return misfits.toSorted((one, other) => depth(other) - depth(one))[0];
}
