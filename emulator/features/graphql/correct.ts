import { parse, validate, type GraphQLError } from 'graphql';
import type { Advice, Advisers, Correction, Mistake, Refused } from './advice/adviser.ts';
import { definitionAdvisers } from './advice/definitions.ts';
import { fieldAdvisers } from './advice/fields.ts';
import { isSameProblem, read } from './advice/problem.ts';
import { valueAdvisers } from './advice/values.ts';
import { changeText } from '../../contract/text-changes.ts';

const advisers: Advisers = { ...fieldAdvisers, ...valueAdvisers, ...definitionAdvisers };

/** Corrects one of the problems of a query, at each place where it has it. */
export function correct(refused: Refused, error: GraphQLError): Correction {
  const same = refused.errors.filter((one) => isSameProblem(one, error));
  const nodes = [...new Set(same.flatMap((one) => one.nodes?.slice(0, 1) ?? []))];
  const told = read(error.message);
  const mistake = { ...refused, error, told, nodes };
  for (const adviser of (told.kind && advisers[told.kind]) ?? []) {
    const advice = adviser(mistake);
    if (typeof advice === 'string') return { say: advice, mended: null };
    const mended = advice && toMended(mistake, advice.changes);
    if (mended) return { say: advice.say, mended };
  }
  const at = error.locations?.[0];
  return {
    say: at ? `Correct the query at line ${at.line}, column ${at.column}.` : 'Correct the query.',
    mended: null,
  };
}

/**
 * The query after the changes; null if it cannot be read then, is refused for the same reason, or for another one at the
 * same place: then the place needs more than the change.
 */
function toMended({ schema, query, error, nodes, errors }: Mistake, changes: Advice['changes']): string | null {
  const made = changes.filter((change) => change !== null);
  const mended = made.length === changes.length ? changeText(query, made) : null;
  if (mended === null || mended === query) return null;
  const first = Math.min(...made.map(({ start }) => start));
  const places = [first, ...nodes.flatMap(({ loc }) => (loc && loc.start <= first ? [loc.start] : []))];
  const isLeft = (one: GraphQLError): boolean =>
    isSameProblem(one, error) ||
    (places.some((place) => one.positions?.includes(place)) && !errors.some((before) => isSameProblem(one, before)));
  try {
    return validate(schema, parse(mended)).some(isLeft) ? null : mended;
  } catch {
    return null;
  }
}
