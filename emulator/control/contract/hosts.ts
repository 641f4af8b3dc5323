import { object } from '../../contract/shape.ts';
import type { CallTable } from '../call.ts';
import { done } from './parts.ts';

const host = {
  type: 'string',
  maxLength: 260,
  examples: ['api', 'shop.test', 'localhost:9000'],
  description: 'A name that no one on the public internet can own, with or without a port.',
} as const;

export const hostCalls = {
  'POST /control/allowed-hosts': {
    summary: 'Let the API answer requests with this Host, until it is removed; never this control API',
    changes: true,
    body: object({ host }),
    status: 201,
    reply: done,
  },
  'DELETE /control/allowed-hosts/{host}': {
    summary: 'Refuse requests with this Host again',
    changes: true,
    reply: done,
  },
} as const satisfies CallTable;
