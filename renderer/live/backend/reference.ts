import type { Reply } from '../../../emulator/control/calls.ts';
import { call } from './control.ts';

export type ReferencePage = Reply<'GET /control/reference'>['pages'][number];

let asked: Promise<readonly ReferencePage[]> | null = null;

/** All pages of the reference. They never change while the server runs, so they are read once. */
export function readReference(): Promise<readonly ReferencePage[]> {
  asked ??= call('GET /control/reference').then(
    ({ pages }) => pages,
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** What the address of a page has in it: `rule:subscriptions.phone-e164`. */
export function toPageId({ kind, id }: Pick<ReferencePage, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** Where a page is shown. */
export function toReferenceRoute(kind: ReferencePage['kind'], id: string) {
  return { name: 'reference', params: { id: toPageId({ kind, id }) } } as const;
}
