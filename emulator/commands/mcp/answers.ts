/** What the tools of an agent answer, beyond one call of the control API. */
import { askMeantPhone } from '../../contract/meant.ts';
import type { UndoRef } from '../../control/call.ts';
import type { Query } from '../../control/calls.ts';
import type { ControlClient } from '../../control/client/control-client.ts';
import { UserError } from '../../errors.ts';
import { toExplanation } from '../explain.ts';
import { readStory } from '../explain-person.ts';
import { asJson, toRead, untrusted } from './text.ts';

/** The answer of a tool that did something that can be undone. */
export interface Told {
  readonly text: string;
  readonly undo: UndoRef | undefined;
}

/** Lines for an agent: without colours, and never cut to a width. */
export const plain = { colours: false, columns: Infinity } as const;

/** A recorded request, explained, with its bodies. */
export async function explained(client: ControlClient, id: string): Promise<string> {
  const request = await client.call('GET /control/requests/{id}', { params: { id } });
  const bodies = [request.request.body, request.response.body].map((body) =>
    body === null ? 'none' : body.encoding === 'utf8' ? toRead(body) : `${body.bytes} bytes, no text`,
  );
  return untrusted(
    `${toExplanation(request, client.page, plain)}\n\nrequest body: ${bodies[0]}\nresponse body: ${bodies[1]}`,
  );
}

/** The answer to an agent if nothing was recorded. The agent may have no shell to ask where to send a request. */
export async function noRequest(client: ControlClient): Promise<string> {
  const { apiUrl } = await client.call('GET /control/health');
  return `No request is recorded yet. The code that is tested has to call ${apiUrl}.`;
}

/** What happened to a person, for an agent. */
export async function toldAbout(client: ControlClient, person: string): Promise<string> {
  const { causes, total, lines } = await readStory(client, person, 50);
  if (total === 0)
    return `Nothing that happened to this person is known.${askMeantPhone(person)} records with {"kind": "users"} lists people.`;
  return `${causes.length} of ${total}\n${untrusted(lines.join('\n'))}`;
}

/** Up to 50 records of a kind, newest first, without the `skipped` newest ones. */
export async function newestFirst(client: ControlClient, kind: string, skipped: number) {
  const list = (query: Query<'GET /control/records/{kind}'>) =>
    client.call('GET /control/records/{kind}', { params: { kind }, query });
  const { total } = await list({ limit: 1 });
  const end = Math.max(0, total - skipped);
  const offset = Math.max(0, end - 50);
  if (end === 0) return { total, records: [] };
  const { records } = await list({ offset, limit: end - offset });
  return { total, records: records.toReversed() };
}

/**
 * Sends a message to a person, as a campaign would.
 * @throws UserError without a text, or with none or both of the two addresses
 */
export async function compose(
  client: ControlClient,
  {
    phone,
    email,
    text,
    ...given
  }: { readonly [field in 'phone' | 'email' | 'text' | 'subject']?: string | undefined } & {
    readonly force?: true | undefined;
  },
): Promise<Told> {
  if ((phone === undefined) === (email === undefined))
    throw new UserError('Name the person by phone for a text message, or by email for an email.');
  if (text === undefined) throw new UserError('Give the text of the message.');
  const channel = phone === undefined ? 'EMAIL' : 'TEXT';
  const body = { subscriber: { phone, email }, channel, text, ...given } as const;
  const { reply, undo } = await client.answer('POST /control/messages', { body });
  return { text: asJson(reply), undo };
}
