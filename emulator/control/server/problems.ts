import { inBody, inPath, refuse } from '../../rules.ts';
import { controlRules } from '../rules/rules.ts';

/** Refuses a control request: what was asked for is not there. */
export function notFound(message: string): never {
  return refuse(controlRules.notFound, inPath(''), undefined, { message });
}

/**
 * Refuses a control request that cannot be done as it is.
 * @param at a JSON pointer to the value in the body that is wrong, where it is one: a form shows the message there
 */
export function badRequest(message: string, at?: string): never {
  return refuse(controlRules.request, at === undefined ? inPath('') : inBody(at), undefined, { message });
}

/** Refuses a control request that the current state does not allow. */
export function conflict(message: string): never {
  return refuse(controlRules.conflict, inPath(''), undefined, { message });
}
