import { randomBytes } from 'node:crypto';
import type { Choices } from '../../http/choices.ts';
import type { Refusal } from '../../rules.ts';
import type { Problem } from './prepare.ts';
import type { GraphqlReply } from './shapes.ts';

/** A GraphQL response, and the first refusal in it. */
export interface GraphqlAnswer {
  readonly body: GraphqlReply;
  readonly refusal: Refusal | null;
}

/** With exact answers an error has no additions of ours, as in REST (http/explain.ts). */
export function toAnswer(
  result: Pick<GraphqlReply, 'data'>,
  problems: readonly Problem[],
  answers: Choices['answers'],
): GraphqlAnswer {
  const errors = problems.map(({ refusal, code, error, message = refusal.message }) => ({
    message,
    ...(error?.locations ? { locations: error.locations } : {}),
    ...(error?.path ? { path: error.path } : {}),
    extensions:
      answers === 'exact' ? { code } : { code, rule: refusal.rule.id, section: refusal.rule.section, fix: refusal.fix },
  }));
  return {
    body: {
      ...result,
      ...(errors.length > 0 ? { errors } : {}),
      extensions: { traceId: randomBytes(8).toString('hex') },
    },
    refusal: problems[0]?.refusal ?? null,
  };
}
