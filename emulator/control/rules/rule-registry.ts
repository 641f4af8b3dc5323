import { allFileRules } from './file-rules.ts';
import { allResourceRules } from './resource-rules.ts';
import { allTimeControlRules } from './time-rules.ts';
import { allControlRules } from './rules.ts';
import { allSendFileRules } from '../send-file.ts';
import { allDeliveryRules } from '../../delivery/rules.ts';
import { allFeatureRules } from '../../features/index.ts';
import { allAuthRules } from '../../http/auth.ts';
import { allFaultRules } from '../../http/fault-rules.ts';
import { allInputRules } from '../../http/input-rules.ts';
import { allLimitRules } from '../../http/rate-limit.ts';
import { allObjectRules } from '../../objects/rules.ts';
import { allMessageRules } from '../../messages/rules.ts';
import { allEventTimeRules } from '../../people/event-time.ts';
import { allEventUserRules } from '../../people/event-user.ts';
import { allProductionRules } from '../../production/rules.ts';
import { missingRules, type AnyRule } from '../../rules.ts';
import { allStoreRules } from '../../store/rules.ts';
import { allTimeRules } from '../../time/rules.ts';
import { allWorldRules } from '../../world/rules.ts';

/**
 * The registry of rules: every rule that can refuse a connection, or a request to the API's port or the control API's.
 */
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
  ...allMessageRules,
  ...allStoreRules,
  ...allWorldRules,
  ...allControlRules,
  ...allTimeControlRules,
  ...allFileRules,
  ...allResourceRules,
  ...allSendFileRules,
  ...allProductionRules,
  ...allTimeRules,
  ...Object.values(missingRules),
];
