/** The control API: the input and reply of each call. Server, page, command line and test library follow it. */
import type { UndoRef } from '../world/edits.ts';
import type { Signatures } from './call.ts';
import { accountCalls } from './contract/accounts.ts';
import { attributeCalls } from './contract/attributes.ts';
import { catalogCalls } from './contract/catalog.ts';
import { clockCalls } from './contract/clock.ts';
import { companyCalls } from './contract/companies.ts';
import { deliveryCalls } from './contract/deliveries.ts';
import { eventCalls } from './contract/events.ts';
import { faultCalls } from './contract/faults.ts';
import { hostCalls } from './contract/hosts.ts';
import { messageCalls } from './contract/messages.ts';
import { offerCalls } from './contract/offers.ts';
import { peopleCalls } from './contract/people.ts';
import { receiverCalls } from './contract/receiver.ts';
import { recordCalls } from './contract/records.ts';
import { referenceCalls } from './contract/reference.ts';
import { requestCalls } from './contract/requests.ts';
import { statusCalls } from './contract/status.ts';
import { signUpUnitCalls } from './contract/sign-up-units.ts';
import { snapshotCalls } from './contract/snapshots.ts';
import { timelineCalls } from './contract/timeline.ts';
import { uploadCalls } from './contract/uploads.ts';
import { webhookCalls } from './contract/webhooks.ts';

/** The types of inputs and replies. Page, command line and test library import them from here. */
export type * from './contract/accounts.ts';
export type * from './contract/attributes.ts';
export type * from './contract/catalog.ts';
export type * from './contract/clock.ts';
export type * from './contract/companies.ts';
export type * from './contract/deliveries.ts';
export type * from './contract/events.ts';
export type * from './contract/faults.ts';
export type * from './contract/messages.ts';
export type * from './contract/offers.ts';
export type * from './contract/parts.ts';
export type * from './contract/people.ts';
export type * from './contract/receiver.ts';
export type * from './contract/records.ts';
export type * from './contract/refusals.ts';
export type * from './contract/requests.ts';
export type * from './contract/sign-up-units.ts';
export type * from './contract/snapshots.ts';
export type * from './contract/status.ts';
export type * from './contract/stream.ts';
export type * from './contract/timeline.ts';
export type * from './contract/uploads.ts';
export type * from './contract/webhooks.ts';

export const calls = {
  ...accountCalls,
  ...attributeCalls,
  ...catalogCalls,
  ...clockCalls,
  ...companyCalls,
  ...deliveryCalls,
  ...eventCalls,
  ...faultCalls,
  ...hostCalls,
  ...messageCalls,
  ...offerCalls,
  ...peopleCalls,
  ...receiverCalls,
  ...recordCalls,
  ...referenceCalls,
  ...requestCalls,
  ...statusCalls,
  ...signUpUnitCalls,
  ...snapshotCalls,
  ...timelineCalls,
  ...uploadCalls,
  ...webhookCalls,
};

/**
 * Routes of the control port that are not calls: their bodies are not JSON, and are streamed. They are in neither
 * `call` nor the OpenAPI document.
 */
export const streams = {
  'GET /control/stream': 'All events as server-sent events, each a message of contract/stream.ts.',
  'GET /control/uploads/{id}/fixed':
    'A copy of the file of an upload in which the errors with a mechanical fix are fixed, as NDJSON.',
  'PUT /control/uploads/{id}/file': 'The file of an upload, sent on to its URL while it comes.',
} as const;
export type StreamName = keyof typeof streams;

/** The request and reply of each call, by its name. */
export type Calls = Signatures<typeof calls>;
/** The name of a call, such as `POST /control/offers`. */
export type CallName = keyof Calls;
/** The calls that change something. Only their replies can name an edit to undo. */
export type ChangeName = {
  readonly [Name in CallName]: (typeof calls)[Name] extends { readonly changes: true } ? Name : never;
}[CallName];
/** The arguments of a call after its name: `{ params, query, body }`, each if the call has one. */
export type Arguments<Name extends CallName> =
  Readonly<Record<never, never>> extends Calls[Name]['request']
    ? readonly [request?: Calls[Name]['request']]
    : readonly [request: Calls[Name]['request']];
export type Query<Name extends CallName> = NonNullable<Calls[Name]['request']['query']>;
export type Body<Name extends CallName> = NonNullable<Calls[Name]['request']['body']>;
/** The body of the answer; null if there is none. */
export type Reply<Name extends CallName> = Calls[Name]['reply'];
/** The whole answer to a call that changes something. `undo` is undefined if there is nothing to undo. */
export interface Answer<Name extends ChangeName> {
  readonly reply: Reply<Name>;
  readonly undo: UndoRef | undefined;
}
