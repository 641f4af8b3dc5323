import { boolean, described, integer, object, oneOf, text, type View } from '../../contract/shape.ts';
import { calls } from '../../control/calls.ts';
import type { ControlClient } from '../../control/client/control-client.ts';
import { findNewest } from '../explain.ts';
import { toFaultSentence } from '../fault-sentence.ts';
import { toRequestLine } from '../lines.ts';
import { toActLines } from '../messages.ts';
import { moveClock } from '../move-clock.ts';
import { mustExist } from '../must-exist.ts';
import { sayNote } from '../undo.ts';
import { UserError } from '../../errors.ts';
import { show } from '../../rules.ts';
import { compose, explained, newestFirst, noRequest, plain, toldAbout, type Told } from './answers.ts';
import { asJson, readable, untrusted } from './text.ts';

/** One tool of the MCP server. */
export interface Tool {
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: { readonly [name: string]: object };
    readonly required?: readonly string[];
    readonly additionalProperties: false;
  };
  /** Whether the tool changes the sandbox. The change can then be undone, and the answer says how. */
  readonly changes: boolean;
  /**
   * @param cancelled aborted when the agent no longer waits for the answer
   * @returns the answer, or its text alone. Throws UserError with a sentence if the tool cannot do it
   */
  readonly run: (client: ControlClient, input: never, cancelled: AbortSignal) => Promise<string | Told>;
}

/** A tool whose input has the type of its schema. */
function tool<const S extends Tool['inputSchema']>(
  tool: Omit<Tool, 'inputSchema' | 'run'> & {
    readonly inputSchema: S;
    readonly run: (client: ControlClient, input: View<S>, cancelled: AbortSignal) => Promise<string | Told>;
  },
): Tool {
  return tool;
}

const fire = calls['POST /control/trigger'].body.properties;
/** The fields of a fault, described in fewer words than in the control API. */
const faultInput = {
  operation: described('such as "GET /me", or "*"', text),
  status: described('400 to 599', integer),
  retryAfter: described('seconds; with status', integer),
  delay: described('milliseconds, or such as 2s', { type: ['integer', 'string'] }),
  cut: described('the body ends half-way (true), or after so many bytes', { type: ['boolean', 'integer'] }),
  reset: described('the connection is reset, without a reply', boolean),
  after: described('the request is handled first', boolean),
  times: described('how often; once without times and every', integer),
  every: described('every n-th request', integer),
} satisfies { readonly [Field in keyof (typeof calls)['POST /control/faults']['body']['properties']]: object };
const { status } = calls['GET /control/requests'].query.properties;
const onlyTrue = { const: true } as const;

/** The tools by name, in the order in which an agent reads them. At most nine, so that the list stays short. */
export const tools: { readonly [name: string]: Tool } = {
  find_requests: tool({
    description: 'List recorded requests to the API, newest last, one line each: id, rule, effect.',
    inputSchema: object(
      {},
      {
        status: described('400 or 4xx', { ...status, type: ['integer', 'string'], minimum: 100, maximum: 599 }),
        operation: described('such as "POST /subscriptions"', text),
        rule: described('id of the rule that refused', text),
        limit: described('how many of the newest; default 20', { type: 'integer', minimum: 1, maximum: 200 }),
      },
    ),
    changes: false,
    async run(client, { limit = 20, status, ...filter }) {
      await mustExist(client, filter);
      const query = { ...filter, limit, ...(status === undefined ? {} : { status: String(status) }) };
      const { total, requests } = await client.call('GET /control/requests', { query });
      const lines = requests.map((one) => `${one.id} ${toRequestLine(one, client.page, plain)}`);
      if (lines.length > 0) return `${lines.length} of ${total}\n${untrusted(lines.join('\n'))}`;
      const isWhole = Object.keys(filter).length === 0 && status === undefined;
      return `0 of 0\n${isWhole ? await noRequest(client) : 'None matches. Without status, operation and rule all requests are listed.'}`;
    },
  }),
  explain: tool({
    description:
      'Explain one recorded request: why it was refused, the rule, the place, the smallest fix, what it changed; or tell what happened to a person.',
    inputSchema: object(
      {},
      {
        id: described('req_…, "last", or "refused" for the newest refused one', text),
        person: described('instead of id: phone, email or id of a person', text),
      },
    ),
    changes: false,
    async run(client, { id, person }) {
      if (id === undefined && person !== undefined) return toldAbout(client, person);
      if (id === undefined || person !== undefined) throw new UserError('Give either id or person.');
      const isNamed = id !== 'last' && id !== 'refused';
      const found = isNamed ? id : await findNewest(client, id === 'refused');
      if (found === null)
        throw new UserError(
          id === 'refused' ? 'No refused request is recorded. find_requests lists all.' : await noRequest(client),
        );
      return explained(client, found);
    },
  }),
  send: tool({
    description: 'Send a request to the API and explain the answer.',
    inputSchema: object(
      {
        method: oneOf('GET', 'POST', 'PUT', 'DELETE'),
        path: described('such as /v1/me', text),
      },
      { body: { description: 'JSON' }, key: described('API key; else the first of the world', text) },
    ),
    changes: true,
    async run(client, { method, path, body, key }) {
      const bearer = key ?? (await client.call('GET /control/client-keys')).key;
      if (bearer === null) throw new UserError('This world has no API key. Give one as key.');
      const [wrong] = /[^\x21-\xff]/u.exec(bearer) ?? [];
      if (wrong !== undefined)
        throw new UserError(
          `key has the character ${show(wrong)}. A key has no spaces, line breaks or letters beyond Latin-1.`,
        );
      const json = body === undefined ? null : JSON.stringify(body);
      const { reply, undo } = await client.answer('POST /control/send', {
        body: {
          method,
          path,
          headers: [
            ['authorization', `Bearer ${bearer}`],
            ...(json === null ? [] : [['content-type', 'application/json']]),
          ],
          body: json === null ? undefined : { encoding: 'utf8', data: json },
        },
      });
      const { requestId } = reply;
      return {
        text: requestId === null ? 'The request was not recorded.' : await explained(client, requestId),
        undo,
      };
    },
  }),
  fire: tool({
    description: 'Fire a signed webhook event at a receiver and report its answer.',
    inputSchema: object(
      {
        type: { type: 'string', enum: fire.type.enum },
      },
      {
        phone: described('of the subscriber', text),
        email: described('instead of phone', text),
        payload: described('replaces fields of the example', fire.payload),
        to: described('URL or webhook id; else all webhooks that list the type', text),
      },
    ),
    changes: true,
    async run(client, { phone, email, ...event }) {
      if (phone !== undefined && email !== undefined)
        throw new UserError('Name the person by phone or by email, not by both.');
      const subscriber = phone === undefined ? (email === undefined ? undefined : { email }) : { phone };
      const { reply: fired, undo } = await client.answer('POST /control/trigger', { body: { ...event, subscriber } });
      const answers = fired.deliveries.map(({ id, url, state, attempts }) => ({
        id,
        url,
        state,
        answer: attempts.at(-1)?.response?.status ?? null,
        error: attempts.at(-1)?.error ?? null,
      }));
      const { eventId, note, signedBy, body } = fired;
      return { text: asJson({ eventId, note, signedBy, answers, body }), undo };
    },
  }),
  act: tool({
    description: 'Act as a person on a message (listed by records, kind messages), or compose one to a person.',
    inputSchema: object(
      { act: oneOf('reply', 'open', 'click', 'unsubscribe', 'compose') },
      {
        id: described('of the message; not for compose', text),
        text: described('of the reply or message', text),
        link: described('for click: from 0', { type: 'integer', minimum: 0 }),
        phone: described('for compose: to whom', text),
        email: described('instead of phone, with subject', text),
        subject: described('of an email', text),
        force: described('compose even if not subscribed', onlyTrue),
      },
    ),
    changes: true,
    async run(client, { act, id, text, link, ...composed }) {
      if (act === 'compose') {
        if (id !== undefined || link !== undefined)
          throw new UserError('id and link are not for compose. Leave them out.');
        return compose(client, { ...composed, text });
      }
      const [astray] = Object.keys(composed);
      if (astray !== undefined) throw new UserError(`${astray} is for compose, not for ${act}. Leave it out.`);
      if (id === undefined) throw new UserError('Give the id of the message. records with kind messages lists them.');
      const params = { id };
      const answer = await client.answer('POST /control/messages/{id}/acts', { params, body: { act, link, text } });
      return { text: untrusted(toActLines(answer.reply).join('\n')), undo: answer.undo };
    },
  }),
  time: tool({
    description:
      'Read or move the virtual clock. An advance does what falls due: retries, expiry, state changes; a cancelled call stops it.',
    inputSchema: object(
      {},
      {
        advance: described('how far, such as 30d, 12h or 90s', text),
        set: described('to a time, ISO 8601', text),
        freeze: described('true stops it, false lets it run', boolean),
        real: described('go back to real time', onlyTrue),
      },
    ),
    changes: true,
    async run(client, move, cancelled) {
      if (Object.keys(move).length === 0) {
        const { now, mode, upcoming } = await client.call('GET /control/clock');
        return JSON.stringify({ now, mode, upcoming: upcoming.slice(0, 10) });
      }
      if (Object.keys(move).length > 1) throw new UserError('Give only one of advance, set, freeze and real.');
      const { answer, stop } = moveClock(client, move);
      cancelled.addEventListener('abort', () => void stop());
      const { reply, undo } = await answer;
      const { now, mode, firedCount, firedCounts, fired, waiting, putOff } = reply;
      const [counts, first] = [firedCounts.slice(0, 20), fired.slice(0, 20)];
      return {
        text: JSON.stringify({ now, mode, firedCount, firedCounts: counts, fired: first, waiting, putOff }),
        undo,
      };
    },
  }),
  records: tool({
    description:
      'Read records, newest first (users, subscriptions, webhooks, deliveries, messages, uploads, offers, privacy-requests …), or move one to its next state.',
    inputSchema: object(
      { kind: described('such as users', text) },
      {
        id: described('one record, with its possible moves', text),
        move: described('with id: a possible move', text),
        offset: described('without id: leaves out so many of the newest; see nextOffset', {
          type: 'integer',
          minimum: 0,
        }),
      },
    ),
    changes: true,
    async run(client, { kind, id, move, offset }) {
      if (id === undefined) {
        if (move !== undefined)
          throw new UserError('A move needs the id of a record. Leave move out to list the records with their ids.');
        const listed = await newestFirst(client, kind, offset ?? 0);
        const records = readable(listed.records);
        const next = (offset ?? 0) + records.length;
        return asJson({ total: listed.total, ...(next < listed.total ? { nextOffset: next } : {}), records });
      }
      if (offset !== undefined) throw new UserError('offset is for a list. Leave it out, or leave id out.');
      const params = { kind, id };
      if (move === undefined) return asJson(await client.call('GET /control/records/{kind}/{id}', { params }));
      const moved = await client.answer('POST /control/records/{kind}/{id}/moves', { params, body: { event: move } });
      return { text: asJson(moved.reply), undo: moved.undo };
    },
  }),
  fault: tool({
    description: 'Make the next requests of an operation fail, or clear all faults.',
    inputSchema: object({}, { ...faultInput, clear: described('clear all faults', onlyTrue) }),
    changes: true,
    async run(client, { clear, operation, ...effect }) {
      if (clear) {
        if (operation !== undefined || Object.keys(effect).length > 0)
          throw new UserError('clear removes all faults and sets none. Send it alone, or leave it out.');
        const { undo } = await client.answer('DELETE /control/faults');
        return { text: 'All faults are cleared.', undo };
      }
      if (operation === undefined) throw new UserError('Name the operation that fails, or set clear.');
      const body = { operation, ...effect };
      const { reply, undo } = await client.answer('POST /control/faults', { body });
      return { text: toFaultSentence(reply), undo };
    },
  }),
  undo: tool({
    description: 'Undo the newest change made by hand, or the one with an id; list the changes; redo.',
    inputSchema: object(
      {},
      {
        id: described('undo_…', text),
        andNewer: described('with id: also undo the changes after it', onlyTrue),
        list: described('list what can be undone', onlyTrue),
        redo: described('redo what was undone last', onlyTrue),
      },
    ),
    changes: true,
    async run(client, { id, andNewer, list, redo }) {
      if (andNewer && id === undefined)
        throw new UserError('andNewer goes with id. Add the id, or leave andNewer out.');
      if ([id, list, redo].filter((one) => one !== undefined).length > 1)
        throw new UserError('Give only one of id, list and redo.');
      if (list) return JSON.stringify(await client.call('GET /control/undo'));
      if (redo) {
        const { reply, undo } = await client.answer('POST /control/redo');
        return { text: `Done again: ${reply.redone}`, undo };
      }
      const undone = await client.call('POST /control/undo', { body: { id, andNewer } });
      return `Undone: ${undone.undone}${sayNote(undone)}`;
    },
  }),
};
