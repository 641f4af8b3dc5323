import { editorRules, uploadRules } from './file-rules.ts';
import { hostRules, queryRules, recordRules, requestRules, searchRules, webhookRules } from './resource-rules.ts';
import { clockRules, timelineRules, undoRules } from './time-rules.ts';
import { controlRules } from './rules.ts';
import { deliveryRules } from '../../delivery/rules.ts';
import { allFeatureRules } from '../../features/index.ts';
import { commonRules } from '../../http/common-rules.ts';
import { objectRules } from '../../objects/rules.ts';
import { messageRules } from '../../messages/rules.ts';
import { eventTimeRules } from '../../people/event-time.ts';
import { eventUserRules } from '../../people/event-user.ts';
import { productionRules } from '../../production/rules.ts';
import { missingRules, rulesOf } from '../../rules.ts';
import { storeRules } from '../../store/rules.ts';
import { timeRules } from '../../time/rules.ts';
import { worldRules } from '../../world/rules.ts';

/**
 * The registry of rules: every rule that can refuse a connection, or a request to the API's port or the control API's.
 */
export const allRules = [
  ...new Set([
    ...commonRules,
    ...rulesOf(eventUserRules, eventTimeRules),
    ...allFeatureRules,
    ...rulesOf(objectRules, deliveryRules, messageRules, storeRules, worldRules),
    ...rulesOf(controlRules, clockRules, timelineRules, undoRules, uploadRules, editorRules, requestRules, recordRules),
    ...rulesOf(hostRules, searchRules, queryRules, webhookRules),
    ...rulesOf(productionRules, timeRules, missingRules),
  ]),
];
