import { Refusal, type Place } from '../rules.ts';

/** Refuses a control request: what was asked for is not there. */
export function notFound(message: string): never {
  throw new Refusal({
    rule: controlRule('control.not-found', 404),
    place: nowhere,
    value: undefined,
    message,
    fix: noFix,
  });
}

/** Refuses a control request that cannot be done as it stands. */
export function badRequest(message: string): never {
  throw new Refusal({
    rule: controlRule('control.request', 400),
    place: nowhere,
    value: undefined,
    message,
    fix: noFix,
  });
}

/** Refuses a control request that the present state does not allow. */
export function conflict(message: string): never {
  throw new Refusal({
    rule: controlRule('control.conflict', 409),
    place: nowhere,
    value: undefined,
    message,
    fix: noFix,
  });
}

const nowhere: Place = { in: 'path', at: '' };
const noFix = { say: 'See the message.', edits: [] };

function controlRule(id: string, status: number) {
  return {
    id,
    status,
    section: 'control API',
    provenance: 'assumed',
    says: 'The control API answers only what it holds.',
  } as const;
}
