/** The parts of which the shapes of stored records are made: JSON Schemas, so that types and checks follow from them. */
import type { Schema } from '../contract/schema.ts';

export const text = { type: 'string' } as const;
/** An ISO 8601 time in UTC, so that the state file reads well. */
export const time = { type: 'string', format: 'iso-time' } as const;
export const flag = { type: 'boolean' } as const;
/** A whole number from 0. */
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
export const texts = { type: 'array', items: text } as const;
/** A JSON object of any members. */
export const object = { type: 'object', additionalProperties: true } as const;
export const textMap = { type: 'object', additionalProperties: text } as const;

export function orNull<const S extends Schema & { readonly type: string }>(schema: S) {
  return { ...schema, type: [schema.type, 'null'] } as unknown as OrNull<S>;
}

type OrNull<S extends { readonly type: string }> = {
  readonly [Key in keyof S]: Key extends 'type' ? readonly [S['type'], 'null'] : S[Key];
};

export function list<const S extends Schema>(items: S) {
  return { type: 'array', items } as const;
}

export function oneOf<const V extends readonly string[]>(values: V) {
  return { type: 'string', enum: values } as const;
}

/** An object with at least these members: what is inside a record may hold more than its type says. */
export function fields<const F extends { readonly [field: string]: Schema }>(properties: F) {
  return { type: 'object', required: Object.keys(properties), properties } as unknown as Closed<F>;
}

/** The schema of an object of exactly these members. */
export interface Closed<F> {
  readonly type: 'object';
  readonly required: readonly (keyof F & string)[];
  readonly additionalProperties: false;
  readonly properties: F;
}

/** Who moved a record: an API call, the clock, the developer's hand, or work that finished (a file check). */
export const movers = ['call', 'clock', 'hand', 'work'] as const;

/** The fields of a record that moves through states (see machine/). `enteredAt`: when the present state began. */
export function stateful<const S extends readonly string[]>(states: S) {
  const state = oneOf(states);
  const from = { type: ['string', 'null'], enum: [...states, null] } as const;
  const moved = fields({ from, event: text, to: state, by: oneOf(movers), at: time, why: text });
  return { state, enteredAt: time, history: list(moved) } as const;
}
