import { meantUrl } from '../contract/meant.ts';
import type { Reach } from '../records.ts';
import { inBody, ownRule, remove, set, setMeant, show } from '../rules.ts';

const waysToEnable = (webhookId: string): string =>
  `"sandpiper enable ${webhookId}", Enable under Webhooks in the inspector, or POST /control/webhooks/${webhookId} with {"disabled":false}`;

/** The rules for deliveries, and for events that are fired by hand. */
export const deliveryRules = {
  severalWebhooks: ownRule<{ readonly url: string; readonly webhooks: readonly string[] }>({
    id: 'delivery.several-webhooks',
    status: 400,
    says: 'An event that is fired at a URL is signed with the key of the one webhook that is registered there.',
    message: ({ url, webhooks }) =>
      `${webhooks.length} webhooks are registered at ${url}, each with its own signing key: ${webhooks.join('; ')}. Give the id of one of them as "to" instead of the URL.`,
    fix: 'Give the id of one of these webhooks as "to".',
    facts: ({ url, webhooks }) => ({ url, count: webhooks.length, webhooks: webhooks.slice(0, 20) }),
  }),
  webhookDisabled: ownRule<{ readonly webhookId: string; readonly reason: string | null }>({
    id: 'delivery.webhook-disabled',
    status: 409,
    says: 'Only an enabled webhook gets events that are sent by hand.',
    message: ({ webhookId, reason }) =>
      `The webhook ${webhookId} is disabled${reason === null ? '' : ` (${reason})`}. Enable it first: ${waysToEnable(webhookId)}.`,
    fix: ({ webhookId }) => ({ say: `Enable the webhook first: ${waysToEnable(webhookId)}.`, edits: [] }),
  }),
  target: ownRule<{ readonly to: string }>({
    id: 'delivery.target',
    status: 400,
    says: 'An event is fired at a webhook, by its id, or at a URL.',
    message: ({ to }) => {
      const meant = meantUrl(to);
      return meant === null
        ? `${show(to)} is neither the id of a webhook nor a URL such as http://localhost:3000/webhooks. "sandpiper records webhooks" lists the webhooks.`
        : `${show(to)} is neither the id of a webhook nor a URL, which begins with http:// or https://. Did you mean ${meant}?`;
    },
    fix: ({ to }, place) => {
      const meant = meantUrl(to);
      return meant === null
        ? { say: 'Leave it out, so that every webhook that lists the type gets the event.', edits: [remove(place)] }
        : { say: `Send it to ${meant}.`, edits: [set(place, meant)] };
    },
    facts: ({ to }) => ({ to: to.slice(0, 100), listedBy: 'records webhooks' }),
  }),
  ownReach: ownRule<{ readonly webhookId: string; readonly reach: Reach; readonly asked: Reach }>({
    id: 'delivery.own-reach',
    status: 400,
    says: 'The reach of a webhook is set on the webhook; a call that sends an event cannot change it.',
    message: ({ webhookId, reach, asked }) =>
      `A webhook is registered there, ${webhookId}, with the reach "${reach}", so "${asked}" has no effect. Change the reach of the webhook, under Webhooks in the inspector or in the control API, or leave this out.`,
    fix: (_facts, place) => ({ say: 'Leave reach out: the webhook has its own.', edits: [remove(place)] }),
  }),
  noCompany: ownRule({
    id: 'delivery.no-company',
    status: 400,
    says: 'An event is about a person of a company, so there is a company.',
    message: () => 'There is no company yet. Reset to the demo world, or restore a snapshot.',
    fix: 'Reset to the demo world, or create a company.',
  }),
  otherCompany: ownRule<{ readonly webhookId: string; readonly companyId: string }>({
    id: 'delivery.other-company',
    status: 400,
    says: 'The webhook that gets an event belongs to the company that the event is about.',
    message: ({ webhookId, companyId }) =>
      `The webhook ${webhookId} is not one of the company ${companyId}. Leave companyId out.`,
    fix: (_facts, place) => ({ say: 'Leave companyId out.', edits: [remove(place)] }),
  }),
  subscriberAddress: ownRule({
    id: 'delivery.subscriber-address',
    status: 400,
    says: 'A subscriber is named by phone or by email.',
    message: () => 'The subscriber has no address: give phone or email.',
    fix: (_facts, place) => ({
      say: 'Give phone or email, or leave subscriber out: then the event is about the person of the example.',
      edits: [remove(place)],
    }),
  }),
  subscriber: ownRule<{
    readonly company: string;
    readonly phone?: string | undefined;
    readonly email?: string | undefined;
    /** The phone of a subscriber, in E.164 form, if it was sent in another form. */
    readonly meant: string | null;
  }>({
    id: 'delivery.subscriber',
    status: 400,
    says: 'The person that an event is about is a subscriber of the company.',
    message: ({ company, phone, email, meant }) =>
      `${company} has no subscriber with ${[phone, email].flatMap((one) => (one === undefined ? [] : show(one))).join(' and ')}. ${meant === null ? 'Subscribe the person, or name none: then the event is about the person of the example.' : `Did you mean ${meant}?`}`,
    fix: ({ meant }, place) =>
      meant === null
        ? {
            say: 'Leave subscriber out: then the event is about the person of the example.',
            edits: [remove(place)],
          }
        : setMeant(inBody(`${place.at}/phone`), meant, ''),
  }),
  noMessage: ownRule<{ readonly type: string }>({
    id: 'delivery.no-message',
    status: 400,
    says: 'Only events about messages name one.',
    message: ({ type }) => `${type} is not about a message. Leave messageId out.`,
    fix: (_facts, place) => ({ say: 'Leave messageId out.', edits: [remove(place)] }),
  }),
  payload: ownRule<{
    readonly type: string;
    readonly pointer: string;
    readonly misfit: string;
    /** The part to leave out of the payload; null if a part is missing in it. */
    readonly part: string | null;
    readonly isWhole: boolean;
  }>({
    id: 'delivery.payload',
    status: 400,
    says: 'The payload of an event fits the schema of its type.',
    message: ({ type, pointer, misfit }) =>
      `The payload does not fit the schema of ${type} at ${pointer === '' ? 'its root' : pointer}: ${misfit}. Nothing was sent.`,
    fix: ({ part, isWhole }) => ({
      say: `Leave ${part === null ? '"whole"' : `${part} of the payload${isWhole ? ' and "whole"' : ''}`} out: then the example fills it in.`,
      edits: [
        ...(part === null ? [] : [remove(inBody(`/payload${part}`))]),
        ...(isWhole ? [remove(inBody('/whole'))] : []),
      ],
    }),
    facts: ({ type, pointer, misfit }) => ({ type, pointer, misfit }),
  }),
  gymEvents: ownRule<{ readonly act: string; readonly count: number; readonly needed: number }>({
    id: 'delivery.gym-events',
    status: 400,
    says: 'A stress test has as many events as its acts need.',
    message: ({ act, count, needed }) =>
      `"${act}" needs at least ${needed} events, and ${count} is sent. Send ${needed} or more, or leave "${act}" out.`,
    fix: ({ needed }, place) => ({ say: `Send ${needed} events.`, edits: [set(place, needed)] }),
  }),
  notTried: ownRule<{ readonly deliveryId: string }>({
    id: 'delivery.not-tried',
    status: 409,
    says: 'A signature is compared with that of an attempt that was made.',
    message: ({ deliveryId }) => `The delivery ${deliveryId} was not tried yet, so there is nothing to compare with.`,
    fix: 'Wait until the delivery was tried once.',
  }),
  noSuchAttempt: ownRule<{ readonly deliveryId: string; readonly attempt: number; readonly last: number }>({
    id: 'delivery.no-such-attempt',
    status: 400,
    says: 'An attempt of a delivery is named by its place among those that are kept, from 0.',
    message: ({ deliveryId, attempt, last }) =>
      `The delivery ${deliveryId} has no attempt ${attempt}: ${last === 0 ? 'it has only attempt 0' : `its attempts are 0 to ${last}`}.`,
    fix: ({ last }, place) => ({ say: `Send ${last}, the newest one.`, edits: [set(place, last)] }),
  }),
  nothingSent: ownRule({
    id: 'delivery.nothing-sent',
    status: 400,
    says: 'A signature is checked against something that was sent: a delivery, or a body.',
    message: () => 'Say what was sent: the id of a delivery, or its body with "sent".',
    fix: () => ({
      say: 'Send the body that was sent.',
      edits: [set({ in: 'body', at: '/sent' }, { body: '{}' })],
    }),
  }),
} as const;
