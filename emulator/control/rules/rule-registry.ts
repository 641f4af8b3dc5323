import { allControlRules } from './rules.ts';
import { allSendFileRules } from '../send-file.ts';
import { allDeliveryRules } from '../../delivery/rules.ts';
import { allFeatureRules } from '../../features/index.ts';
import { allAuthRules } from '../../http/auth.ts';
import { allFaultRules } from '../../http/faults.ts';
import { allInputRules } from '../../http/input-rules.ts';
import { allLimitRules } from '../../http/rate-limit.ts';
import { allObjectRules } from '../../objects/rules.ts';
import { allEventTimeRules } from '../../people/event-time.ts';
import { allEventUserRules } from '../../people/event-user.ts';
import type { AnyRule } from '../../rules.ts';

/** The registry of rules: every one that can refuse a request, on the API's port and on the control API's. */
export const allRules: readonly AnyRule[] = [
  ...allInputRules,
  ...allAuthRules,
  ...allFaultRules,
  ...allLimitRules,
  ...allEventUserRules,
  ...allEventTimeRules,
  ...allFeatureRules,
  ...allObjectRules,
  ...allDeliveryRules,
  ...allControlRules,
  ...allSendFileRules,
];
