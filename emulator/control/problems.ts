import { inPath, refuse } from '../rules.ts';
import { controlRules } from './rules.ts';

/** Refuses a control request: what was asked for is not there. */
export function notFound(message: string): never {
  return refuse(controlRules.notFound, inPath(''), undefined, { message });
}

/** Refuses a control request that cannot be done as it is. */
export function badRequest(message: string): never {
  return refuse(controlRules.request, inPath(''), undefined, { message });
}

/** Refuses a control request that the current state does not allow. */
export function conflict(message: string): never {
  return refuse(controlRules.conflict, inPath(''), undefined, { message });
}
