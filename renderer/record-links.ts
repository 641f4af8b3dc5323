import type { RouteLocationRaw } from 'vue-router';

/** Kind of a record → the section that shows it by its id. */
const sectionOf: { readonly [kind: string]: string } = {
  users: 'subscribers',
  uploads: 'catalog',
  offers: 'offers',
  'privacy-requests': 'privacy',
  'attribute-definitions': 'attributes',
  'sign-up-units': 'units',
  apps: 'apps',
  webhooks: 'webhooks',
};

/** Where a record is shown; null where no view shows its kind. */
export function toRecordRoute(kind: string, id: string): RouteLocationRaw | null {
  if (kind === 'deliveries') return { name: 'webhooks', query: { delivery: id } };
  const name = sectionOf[kind];
  return name === undefined ? null : { name, params: { id } };
}
