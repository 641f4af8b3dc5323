/** The control API: each call with what it takes and answers. Server, page, command line and test library follow it. */
import type { ArgumentsOf, BodyOf, QueryOf, ReplyOf } from './call.ts';
import { catalogCalls } from './contract/catalog.ts';
import { faultCalls } from './contract/faults.ts';
import { uploadCalls } from './contract/uploads.ts';

export const calls = {
  ...catalogCalls,
  ...faultCalls,
  ...uploadCalls,
};

export type Calls = typeof calls;
/** Such as `POST /control/offers`. */
export type CallName = keyof Calls;
/** What a call takes beside its name: `{ params, query, body }`, each where it has one. */
export type Arguments<Name extends CallName> = ArgumentsOf<Name, Calls[Name]>;
export type Query<Name extends CallName> = QueryOf<Calls[Name]>;
export type Body<Name extends CallName> = BodyOf<Calls[Name]>;
/** The body of the answer; null where there is none. */
export type Reply<Name extends CallName> = ReplyOf<Calls[Name]>;
