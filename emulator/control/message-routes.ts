import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Act, Acts } from '../messages/acts.ts';
import type { Messages } from '../messages/messages.ts';
import { findPerson, subscriptionsTo } from '../messages/people.ts';
import { addressMeant, addressesOf, isSameAddress, namedOn, type Named } from '../people/addresses.ts';
import type { Channel, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { Users } from '../people/users.ts';
import { badRequest, notFound } from './problems.ts';
import { toKind } from './views.ts';

export interface MessageRoutesDeps {
  readonly store: Store;
  readonly users: Users;
  readonly messages: Messages;
  readonly acts: Acts;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** The simulated phone and inbox. */
export function createMessageRoutes({ store, users, messages, acts }: MessageRoutesDeps): readonly Endpoint[] {
  const messageOf = (id: string) =>
    store.messages.get(id) ?? notFound(`There is no message ${id}. GET /control/messages lists them.`);

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/messages',
      summary:
        'Messages that the platform would have sent, and replies, newest last; of all, the latest 20,000 are kept',
      query: {
        type: 'object',
        properties: {
          userId: { type: 'string' },
          phone: { type: 'string' },
          email: { type: 'string' },
          channel: { type: 'string', enum: ['TEXT', 'EMAIL'] },
          direction: { type: 'string', enum: ['in', 'out'] },
          limit: { type: 'string', pattern: '^[0-9]{1,5}$', examples: ['100'] },
        },
      },
      replies: { 200: anything },
      handle({ query: { userId, phone, email, channel, direction, limit = '100' } }) {
        const found = [...store.messages.all()].filter(
          (one) =>
            (userId === undefined || one.userId === userId) &&
            (phone === undefined || one.to === phone) &&
            (email === undefined || isSameAddress('EMAIL', one.to, email)) &&
            (channel === undefined || one.channel === channel) &&
            (direction === undefined || one.direction === direction),
        );
        return {
          status: 200,
          body: { total: found.length, messages: Number(limit) === 0 ? [] : found.slice(-Number(limit)) },
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/messages/{id}',
      summary: 'One message',
      params: byId,
      replies: { 200: anything },
      handle: ({ params }) => ({ status: 200, body: { ...messageOf(params.id) } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/messages',
      summary: 'Compose a text or an email to a subscriber; links in it are shortened',
      body: {
        type: 'object',
        required: ['subscriber', 'channel', 'text'],
        additionalProperties: false,
        properties: {
          companyId: { type: 'string' },
          subscriber: {
            type: 'object',
            additionalProperties: false,
            properties: { phone: { type: 'string' }, email: { type: 'string' } },
          },
          channel: { type: 'string', enum: ['TEXT', 'EMAIL'] },
          name: { type: 'string', minLength: 1, maxLength: 200, examples: ['Sale'] },
          text: {
            type: 'string',
            minLength: 1,
            maxLength: 100_000,
            examples: ['30% off: https://shop.example.com/deals'],
          },
          subject: { type: 'string', maxLength: 500, examples: ['30% off'] },
          html: { type: 'string', maxLength: 500_000 },
          force: { type: 'boolean' },
        },
      },
      replies: { 201: anything },
      handle({ body, now }) {
        const { channel, name = 'Composed by hand', text, subject, html, force = false } = body;
        const companyId =
          body.companyId ??
          [...store.companies.all()][0]?.id ??
          badRequest('There is no company to send for. Reset to the demo world first.');
        if (!store.companies.get(companyId))
          badRequest(`There is no company ${companyId}. GET /control/records/companies lists them.`);
        const user = findPerson(store, users, companyId, body.subscriber);
        const to = addressOf(store, user, channel, body.subscriber);
        const subscribed = subscriptionsTo(store, user, { channel, to }, 'subscribed').length > 0;
        if (!subscribed && !force)
          badRequest(
            `${to} is not subscribed by ${channel}, so the platform would send nothing. Subscribe the person first, or send "force": true.`,
          );
        if (channel === 'EMAIL' && (subject === undefined || subject === '')) badRequest('An email needs a subject.');
        const draft = {
          user,
          to,
          channel,
          type: 'ONE_TIME',
          name,
          text,
          subject: subject ?? null,
          html: html ?? null,
          cause: 'Composed by hand.',
        } as const;
        return { status: 201, body: { ...messages.send(draft, now) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/messages/{id}/acts',
      summary:
        'Do what a person does with a message: open it, click a link, unsubscribe, reply; the answer says what that did',
      params: byId,
      body: {
        type: 'object',
        required: ['act'],
        additionalProperties: false,
        properties: {
          act: { type: 'string', enum: ['open', 'click', 'unsubscribe', 'reply'] },
          link: { type: 'integer', minimum: 0 },
          text: { type: 'string', maxLength: 1600, examples: ['STOP'] },
        },
      },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params, body: { act, link, text }, now }) {
        const message = messageOf(params.id);
        const wanted: Act =
          act === 'reply'
            ? { act, text: text ?? '' }
            : act === 'click'
              ? { act, ...(link === undefined ? {} : { link }) }
              : { act };
        const { result, changes } = store.transact(() => acts.perform(message, wanted, now));
        const changed = changes.map(({ collection, id, before, after }) => ({
          kind: toKind(collection),
          id,
          before,
          after,
        }));
        return { status: 200, body: { ...result, changes: changed } };
      },
    }),
  ];
}

/** The address that the request names on the channel, else one of the person's that is subscribed, else the first. */
function addressOf(store: Store, user: User, channel: Channel, named: Named): string {
  const subscribed = addressesOf(user, channel).find(
    (to) => subscriptionsTo(store, user, { channel, to }, 'subscribed').length > 0,
  );
  const meant = namedOn(channel, named) === null ? (subscribed ?? null) : null;
  return (
    meant ??
    addressMeant(user, channel, named) ??
    badRequest(`This person has no ${channel === 'TEXT' ? 'phone' : 'email'}.`)
  );
}
