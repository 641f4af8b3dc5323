/** Events fired on demand: drafted, refused if invalid, sent, and awaited. */
import { valueAt } from '../contract/pointer.ts';
import type { Delivery } from '../records.ts';
import { inBody, refuse } from '../rules.ts';
import type { Deliveries } from './deliveries.ts';
import { createDraftEvent, type DraftDeps, type DraftEvent, type EventDraft } from './draft-event.ts';
import { deliveryRules } from './rules.ts';
import type { EventInput } from './shapes.ts';

export interface TriggerInput extends EventInput {
  readonly dryRun?: boolean | undefined;
}

export interface TriggerResult extends Omit<EventDraft, 'misfit' | 'type' | 'companyId'> {
  /** After their first attempt, or after a second if the receiver is slower; none for a dry run. */
  readonly deliveries: readonly Delivery[];
}

export type Trigger = (input: TriggerInput) => Promise<TriggerResult>;

export interface TriggerDeps extends DraftDeps {
  readonly deliveries: Deliveries;
}

/**
 * The part of the payload to leave out, so that the example fills it in: the wrong value, or the whole list that
 * contains it. Null if something is missing, which happens only if the whole payload was given.
 */
function partToLeaveOut(payload: unknown, pointer: string): string | null {
  const steps = pointer.split('/');
  if (steps.some((step) => /^\d+$/.test(step))) return steps.slice(0, 2).join('/');
  return valueAt(payload, pointer) === undefined ? null : pointer;
}

/**
 * Creates the trigger. It refuses an unknown person, message, company or webhook, and an override that does not fit the
 * schema of the event, at its place.
 */
export function createTrigger({ deliveries, ...deps }: TriggerDeps): Trigger {
  const draftEvent: DraftEvent = createDraftEvent(deps);

  return async ({ dryRun = false, ...input }) => {
    const { misfit, type, companyId, ...draft } = await draftEvent(input);
    if (misfit) {
      const { pointer, says } = misfit;
      const part = partToLeaveOut(input.payload, pointer);
      const place = inBody(part === null ? '/whole' : `/payload${pointer}`);
      return refuse(deliveryRules.payload, place, undefined, {
        type,
        pointer,
        misfit: says,
        part,
        isWhole: input.whole === true,
      });
    }
    if (dryRun) return { ...draft, deliveries: [] };
    const { eventId, body, targets } = draft;
    const sent = deliveries.enqueue(
      targets.map(({ webhookId, url, reach }) => ({
        eventId,
        type,
        companyId,
        webhookId,
        url,
        reach,
        body,
        why: 'It was fired by hand.',
      })),
    );
    const tried = await Promise.all(sent.map(({ id }) => deliveries.whenTried(id)));
    const known = tried.filter((one) => one !== null);
    const late = known.filter(({ state }) => state === 'queued' || state === 'delivering').length;
    const note = [draft.note, late > 0 ? toLateNote(late, known.length) : null].filter((one) => one !== null);
    return { ...draft, note: note.length > 0 ? note.join(' ') : null, deliveries: known };
  };
}

function toLateNote(late: number, of: number): string {
  const who =
    of === 1 ? 'The receiver has' : late === of ? `None of ${of} receivers has` : `${late} of ${of} receivers have`;
  return `${who}${late === of && of > 1 ? '' : ' not'} answered yet. The delivery continues; look at it again to see the result.`;
}
