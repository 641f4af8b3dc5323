import type { ReferencePage } from '../../live/backend/reference.ts';

/** The words of each kind of page, in the order of the list. */
export const kindWords: {
  readonly [K in ReferencePage['kind']]: { readonly one: string; readonly many: string };
} = {
  operation: { one: 'operation', many: 'Operations' },
  event: { one: 'event', many: 'Events' },
  record: { one: 'record', many: 'Records' },
  rule: { one: 'rule', many: 'Rules' },
  limit: { one: 'limit', many: 'Limits' },
};
