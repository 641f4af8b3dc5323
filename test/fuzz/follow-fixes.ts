import type { RefusalView } from '../../emulator/control/calls.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { applyFix } from '../rules/apply-fix.ts';
import { isRefused, recordsOf, refusalOf, send, type Request } from './send.ts';

/** More fixes than the longest input (test/fuzz/inputs.ts) can need, each of one mistake. */
const mostFixes = 100;

/**
 * Applies the fix of a refusal, then the fix of what refuses the request then, until it is accepted, or only a person can say what
 * is meant. Tells what must not be: a fix that is refused for the same reason, fixes that come back to an earlier request or do not
 * end, and what is wrong with any refusal.
 * @param path the path with the names of its parameters
 */
export async function followFixes(
  emulator: Emulator,
  path: string,
  { request, refusal }: { readonly request: Request; readonly refusal: RefusalView | null },
): Promise<readonly string[]> {
  const sent = [JSON.stringify(request)];
  const rules: string[] = [];
  let current = request;
  let why = refusal;
  for (;;) {
    const after = rules.length === 0 ? '' : ` after the fixes of ${rules.join(', ')}`;
    if (!why) return [`was refused without a reason${after}`];
    const { rule, message, place, fix } = why;
    const words = `${message} ${fix.say}`;
    if (message === '' || fix.say === '' || /\b(?:undefined|NaN)\b|\[object /.test(words))
      return [`was refused by ${rule} with the words: ${words}${after}`];
    if (fix.edits.length === 0) return [];
    const told = `${rule}${after}: ${words} ${JSON.stringify(fix.edits)}`;
    rules.push(rule);
    current = applyFix(current, fix.edits, path);
    if (sent.includes(JSON.stringify(current))) return [`is led back to an earlier request by the fix of ${told}`];
    if (rules.length > mostFixes) return [`is led on without an end by the fix of ${told}`];
    sent.push(JSON.stringify(current));
    const before = recordsOf(emulator);
    const answer = await send(emulator, current);
    if (answer.status >= 500) return [`answered ${answer.status} to the fix of ${told}: ${answer.text}`];
    if (!isRefused(answer)) return [];
    if (recordsOf(emulator) !== before) return [`was refused, and changed records, with the fix of ${told}`];
    why = await refusalOf(emulator, current, answer);
    // A text in GraphQL, such as the query, is one place with many mistakes.
    const isSame =
      why?.rule === rule &&
      JSON.stringify(why.place) === JSON.stringify(place) &&
      (current.path !== '/graphql' || why.message === message);
    if (isSame) return [`was refused by its own fix of ${told}`];
  }
}
