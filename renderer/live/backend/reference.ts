import type { Reply } from '../../../emulator/control/calls.ts';
import { call } from './control.ts';
import { readOnce } from './read-once.ts';

export type ReferencePage = Reply<'GET /control/reference'>['pages'][number];

/** All pages of the reference. */
export const readReference = readOnce(async () => (await call('GET /control/reference')).pages);

/** The part of an address that names a page: `rule:subscriptions.phone-e164`. */
export function toPageId({ kind, id }: Pick<ReferencePage, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** The route of a page. */
export function toReferenceRoute(kind: ReferencePage['kind'], id: string) {
  return { name: 'reference', params: { id: toPageId({ kind, id }) } } as const;
}
