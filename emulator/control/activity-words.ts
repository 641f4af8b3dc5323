/**
 * Describes what a control API call did, as a sentence for the timeline. Calls without a sentence are not kept there.
 */
import { toAmount } from '../contract/digits.ts';
import { parseDuration, sayDuration } from '../time/duration.ts';
import type { Activity } from '../world/activity.ts';
import type { Body, CallName, Reply } from './calls.ts';
import type { ParamsOf } from './call.ts';
import { definitions } from '../records/definitions.ts';
import { toKind } from '../records/kind.ts';
import { shortQuote } from './shorten.ts';

/** The word for one record of a kind: `privacy request` for `privacy-requests`. */
const toWord = (kind: string): string =>
  Object.entries(definitions).find(([name]) => toKind(name) === kind)?.[1].words[0] ?? kind;

export interface ActivityWords extends Pick<Activity, 'kind' | 'says' | 'tap'> {
  readonly person?: NonNullable<Activity['person']>;
}

interface Told<Name extends CallName> {
  readonly params: ParamsOf<Name>;
  readonly body: Body<Name>;
  readonly reply: Reply<Name>;
  /** Whether the call made an edit. Setting a setting to the value that it already has makes none. */
  readonly isEdit: boolean;
}

type Words = { readonly [Name in CallName]?: (told: Told<Name>) => ActivityWords | null };

/** Undoable edits may be missing here: their sentence is in the undo list. */
const words: Words = {
  'POST /control/clock'({ body, reply, isEdit }) {
    const clock = (says: string): ActivityWords => ({ kind: 'clock', says });
    const moved = (did: string, meant: string, where: string): ActivityWords =>
      clock(
        reply.stopped
          ? `You began to ${meant} the clock${where}, and stopped it on the way`
          : `You ${did} the clock${where}`,
      );
    if (body.advance !== undefined)
      return moved('advanced', 'advance', ` by ${sayDuration(parseDuration(body.advance))}`);
    if (body.set !== undefined) return moved('set', 'set', '');
    if ((body.freeze !== undefined || body.rate !== undefined || body.real) && !isEdit) return null;
    if (body.real) return moved('set', 'set', ' back to real time');
    if (body.freeze !== undefined) return clock(body.freeze ? 'You froze the clock' : 'You let the clock run again');
    if (body.rate !== undefined) return clock(`You let the clock run at ${body.rate} times the speed of real time`);
    if (body.rewind) return clock(`You went back to before this: ${reply.rewound?.says ?? ''}`);
    return null;
  },
  'POST /control/pace': ({ body, isEdit }) =>
    isEdit ? { kind: 'clock', says: `You set the pace to ${body.pace}` } : null,
  'POST /control/messages': ({ reply: { channel, to, userId } }) => ({
    kind: 'edit',
    ...withPerson(`You sent ${channel === 'TEXT' ? 'a text' : 'an email'} to `, { id: userId, name: to }),
  }),
  'POST /control/messages/{id}/acts': ({ body, reply: { message, did, published, impliedBy, says } }) => ({
    kind: 'person',
    // The message itself keeps when it was opened, and when its links were followed.
    ...(['reply', 'unsubscribe'].includes(body.act)
      ? { tap: { messageId: message.id, did, published, impliedBy, says } }
      : {}),
    ...withPerson(
      '',
      { id: message.userId, name: message.to },
      `${body.act === 'reply' ? ` replied ${shortQuote(message.text, 60)}` : ''}: ${did.join(' ')}`,
    ),
  }),
  'POST /control/records/{kind}/{id}/moves': ({ params: { kind, id }, body: { event } }) => ({
    kind: 'edit',
    says: `You moved the ${toWord(kind)} ${id} by hand: ${event}`,
  }),
  'POST /control/trigger': ({ body: { type }, reply: { deliveries } }) =>
    deliveries.length === 0
      ? null
      : { kind: 'edit', says: `You fired ${type} to ${toAmount(deliveries.length, 'receiver')}` },
  'POST /control/gym': ({ reply: { events } }) => ({
    kind: 'edit',
    says: `You stressed a receiver with ${toAmount(events.length, 'event')}`,
  }),
  'POST /control/deliveries/{id}/redeliver': ({ reply: { type, url } }) => ({
    kind: 'edit',
    says: `You sent ${type} to ${url} again`,
  }),
  'POST /control/deliveries/redeliver-failed': ({ reply: { count } }) =>
    count === 0
      ? null
      : { kind: 'edit', says: `You sent ${toAmount(count, 'failed delivery', 'failed deliveries')} again` },
  'POST /control/faults': ({ reply }) => ({ kind: 'fault', says: `You set a fault: ${reply.says}` }),
  'DELETE /control/faults/{id}': () => ({ kind: 'fault', says: 'You took a fault back' }),
  'DELETE /control/faults': ({ isEdit }) => (isEdit ? { kind: 'fault', says: 'You took all faults back' } : null),
  'POST /control/limits': ({ body, isEdit }) =>
    isEdit
      ? {
          kind: 'fault',
          says: body.mode === 'off' ? 'You turned the rate limits off' : 'You turned the rate limits on',
        }
      : null,
  'POST /control/snapshots': ({ reply: { name } }) => ({ kind: 'edit', says: `You saved the snapshot “${name}”` }),
  'POST /control/timeline/back': ({ reply: { at, from } }) => ({
    kind: 'clock',
    says: `You went back to ${at}, from ${from}`,
  }),
  'POST /control/timeline/fork': ({ body: { at, name } }) => ({
    kind: 'edit',
    says: `You kept the moment ${at} as the snapshot “${name}”`,
  }),
  'POST /control/undo': ({ reply: { undone, note } }) => ({
    kind: 'edit',
    says: `You took this back: ${undone}${note === null ? '' : ` ${note}`}`,
  }),
  'POST /control/redo': ({ reply: { redone } }) => ({ kind: 'edit', says: `You did this again: ${redone}` }),
};

/** Returns the sentence that is specific to a call; null if it has none. */
export function toActivityWords(name: CallName, told: object): ActivityWords | null {
  return (words[name] as ((told: object) => ActivityWords | null) | undefined)?.(told) ?? null;
}

/** A sentence that names a person. */
function withPerson(
  before: string,
  person: { readonly id: string; readonly name: string },
  after = '',
): Pick<ActivityWords, 'says' | 'person'> {
  return { says: `${before}${person.name}${after}`, person: { ...person, from: before.length } };
}
