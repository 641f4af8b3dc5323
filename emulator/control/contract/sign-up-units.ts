import { integer, list, object, text, time, type View } from '../../contract/shape.ts';
import { channel, signUpUnits, subscriptionStatus, subscriptionType as type } from '../../records/people.ts';
import type { CallTable } from '../call.ts';
import { done, namedPerson } from './parts.ts';

/** A sign-up unit, with the numbers of active and ended subscriptions that came through it. */
const unitLine = object({ ...signUpUnits.schema.properties, subscribed: integer, unsubscribed: integer });
export type UnitLineView = View<typeof unitLine>;

/** The people who subscribed through a sign-up unit; `total` also counts people who are not listed. */
const unitPeople = object({
  total: integer,
  people: list(object({ ...namedPerson.properties, channel, status: subscriptionStatus, updatedAt: time })),
});
export type UnitPeopleView = View<typeof unitPeople>;

const unitFields = {
  language: { type: 'string', maxLength: 20, examples: ['de'] },
  country: { type: 'string', maxLength: 20, examples: ['DE'] },
  type,
} as const;
const name = { type: 'string', maxLength: 200, examples: ['API de-DE marketing'] } as const;

export const signUpUnitCalls = {
  'GET /control/sign-up-units': {
    summary: 'Sign-up units, each with the number of subscriptions that came through it',
    asOf: 'moment',
    query: object({}, { companyId: text }),
    reply: object({ units: list(unitLine) }),
  },
  'GET /control/sign-up-units/{id}/people': {
    summary: 'The people who subscribed through a sign-up unit, latest first',
    asOf: 'moment',
    reply: unitPeople,
  },
  'POST /control/sign-up-units': {
    summary: 'Create an API sign-up unit',
    changes: true,
    body: object({ companyId: text, ...unitFields }, { name }),
    status: 201,
    reply: done,
  },
  'POST /control/sign-up-units/{id}': {
    summary: 'Change a sign-up unit: only the fields that are sent',
    changes: true,
    body: object({}, { name, ...unitFields }),
    reply: done,
  },
  'DELETE /control/sign-up-units/{id}': {
    summary: 'Delete a sign-up unit; people who subscribed through it stay subscribed',
    changes: true,
    reply: done,
  },
} as const satisfies CallTable;
