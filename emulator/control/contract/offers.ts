import { boolean, integer, list, nullable, object, text, type View } from '../../contract/shape.ts';
import { offerWindow as window } from '../../records/offers.ts';
import type { CallTable } from '../call.ts';
import { toPage } from './paging.ts';
import { done } from './parts.ts';
import { refusal } from './refusals.ts';

/** A page of an offer's codes; `total` counts all codes that match. */
const codes = object({ total: integer, codes: list(object({ code: text, uploadId: text })) });
export type CodesView = View<typeof codes>;

/** Whether an upload of codes with these dates would be accepted. */
const dates = object({ accepted: boolean, refusal: nullable(refusal) });
export type DatesView = View<typeof dates>;

const name = { type: 'string', examples: ['Autumn welcome'] } as const;
const apiUploads = { type: 'boolean', default: true } as const;
const date = (example: string) => ({ type: 'string', maxLength: 100, examples: [example] }) as const;

export const offerCalls = {
  'POST /control/offers': {
    summary: 'Create an offer',
    changes: true,
    body: object({ companyId: text, name, window }, { apiUploads }),
    status: 201,
    reply: done,
  },
  'POST /control/offers/{id}': {
    summary: 'Change an offer: only the fields that are sent',
    changes: true,
    body: object({}, { name, window, apiUploads }),
    reply: done,
  },
  'DELETE /control/offers/{id}': { summary: 'Delete an offer with its codes', changes: true, reply: done },
  'GET /control/offers/{id}/codes': {
    summary: 'The codes of an offer in the order of their uploads; `q` is a part of a code',
    asOf: 'now',
    query: object({}, { q: { type: 'string', maxLength: 256, examples: ['WELCOME'] }, ...toPage(1_000) }),
    reply: codes,
  },
  'GET /control/offers/{id}/dates': {
    summary: 'Whether an upload of codes with these dates would be accepted, and if not, why',
    asOf: 'now',
    query: object({}, { start: date('2026-12-01T00:00:00Z'), stop: date('2026-12-10T00:00:00Z') }),
    reply: dates,
  },
} as const satisfies CallTable;
