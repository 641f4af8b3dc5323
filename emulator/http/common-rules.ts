import { rulesOf } from '../rules.ts';
import { storeRules } from '../store/rules.ts';
import { authRules } from './auth.ts';
import { faultRules } from './faults/rules.ts';
import { allInputRules } from './input-rules.ts';
import { limitRules } from './rate-limit.ts';

/** The rules that can refuse a request to any operation. */
export const commonRules = [...allInputRules, ...rulesOf(authRules, faultRules, limitRules), storeRules.unsaved];
