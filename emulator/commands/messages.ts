import type { Body, Reply, SizedMessageView } from '../control/calls.ts';
import { ControlRefusal } from '../control/client/control-refusal.ts';
import { toAmount } from '../contract/digits.ts';
import { askMeantPhone } from '../contract/meant.ts';
import { UserError } from '../errors.ts';
import { connect, print, sayCut, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import { UsageError } from './usage.ts';

interface Person {
  readonly phone?: string;
  readonly email?: string;
}

export interface MessagesOptions extends ConnectOptions, Person {
  readonly limit: number;
}

/** `sandpiper messages`: lists messages to people and their replies, newest last, each with its id. */
export async function listMessages({ phone, email, limit, ...options }: MessagesOptions): Promise<void> {
  const query = { phone, email, limit };
  const { messages, total } = await connect(options).call('GET /control/messages', { query });
  const none =
    phone === undefined && email === undefined
      ? 'No message was sent yet. "sandpiper compose" sends one.'
      : `No message was sent to ${phone ?? email}.${askMeantPhone(phone ?? '')} "sandpiper messages" lists all.`;
  print(options, messages, messages.map(toLine).join('\n') || none);
  sayCut(options, messages.length, total);
}

/** `msg_7  2026-11-22 12:00:00 UTC  to +15555550100: Sale today  (1 part in GSM-7, link 0: https://shop.example.com)` */
function toLine({ id, sentAt, direction, to, subject, text, links, sms }: SizedMessageView): string {
  const what = (subject ?? text).replaceAll(/\s+/g, ' ');
  const size = sms === null ? [] : [`${toAmount(sms.parts, 'part')} in ${sms.encoding}`];
  const shown = [...size, ...links.map(({ url }, at) => `link ${at}: ${url}`)].join(', ');
  const whom = direction === 'out' ? `to ${to}` : `from ${to}`;
  return `${id}  ${toSeconds(sentAt)}  ${whom}: ${what}${shown === '' ? '' : `  (${shown})`}`;
}

export interface ComposeOptions extends ConnectOptions, Person {
  readonly subject?: string;
  readonly name?: string;
  readonly force?: boolean;
}

/** `sandpiper compose TEXT --phone NUMBER | --email ADDRESS --subject TEXT`: sends a message as a campaign would. */
export async function compose(
  text: string,
  { phone, email, subject, name, force, ...options }: ComposeOptions,
): Promise<void> {
  if ((phone === undefined) === (email === undefined))
    throw new UsageError('Name the person: --phone for a text message, or --email (with --subject) for an email.');
  if (email !== undefined && !subject) throw new UsageError('An email needs a subject, such as --subject "News".');
  const body = {
    subscriber: { phone, email },
    channel: phone === undefined ? 'EMAIL' : 'TEXT',
    text,
    subject,
    name,
    force,
  } as const;
  const message = await connect(options)
    .call('POST /control/messages', { body })
    .catch((error: unknown) => {
      if (!(error instanceof ControlRefusal) || error.rule !== 'messages.not-subscribed') throw error;
      throw new UserError(`${error.message} Here that is --force.`);
    });
  print(options, message, toLine(message));
}

/** The acts that a person can perform on a message. */
export type TapName = Body<'POST /control/messages/{id}/acts'>['act'];

export interface ActOptions extends ConnectOptions {
  readonly link?: string;
  readonly text?: string;
}

/** `sandpiper act MESSAGE ACT`: acts on a message like a person, and prints the result. */
export async function act(id: string, what: TapName, { link, text, ...options }: ActOptions): Promise<void> {
  if (what === 'reply' && !text) throw new UsageError('A reply needs its words, such as --text STOP.');
  if (what !== 'reply' && text !== undefined) throw new UsageError(`--text is for a reply, not for ${what}.`);
  if (what !== 'click' && link !== undefined) throw new UsageError(`--link is for a click, not for ${what}.`);
  if (link !== undefined && !/^\d+$/.test(link))
    throw new UsageError(`--link takes a number, counted from 0, not "${link}".`);
  const result = await connect(options).call('POST /control/messages/{id}/acts', {
    params: { id },
    body: { act: what, link: link === undefined ? link : Number(link), text },
  });
  print(options, result, toActLines(result).join('\n'));
}

/** What an act did, the events that it published, and why. */
export function toActLines({ did, published, says }: Reply<'POST /control/messages/{id}/acts'>): readonly string[] {
  const events = published.length === 0 ? 'No event was published.' : `Published: ${published.join(', ')}.`;
  return [...did, events, says];
}
