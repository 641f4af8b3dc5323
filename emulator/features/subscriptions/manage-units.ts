import type { SignUpUnit } from '../../records.ts';
import { inBody, noSuch, refuse, rule, set, show } from '../../rules.ts';
import type { Store } from '../../store/store.ts';

/** The rules for sign-up units, however they are created. */
export const unitManagementRules = {
  language: rule<{ sent: string }>({
    id: 'units.language',
    status: 400,
    section: '4, Subscribe, 4',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks sign-up units is not public.',
    says: 'A language is two lower-case letters (ISO 639).',
    message: ({ sent }) => `The language ${show(sent)} is not two lower-case letters such as en.`,
    fix: (_facts, place) => ({ say: 'Send two lower-case letters.', edits: [set(place, 'en')] }),
  }),
  country: rule<{ sent: string }>({
    id: 'units.country',
    status: 400,
    section: '4, Subscribe, 4',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks sign-up units is not public.',
    says: 'A country is two upper-case letters (ISO 3166).',
    message: ({ sent }) => `The country ${show(sent)} is not two upper-case letters such as US.`,
    fix: (_facts, place) => ({ say: 'Send two upper-case letters.', edits: [set(place, 'US')] }),
  }),
} as const;

export interface UnitFields extends Pick<SignUpUnit, 'language' | 'country' | 'type'> {
  /** Default: the next free one; it must not be taken. */
  readonly id?: string | undefined;
  /** If left out or empty, derived from the rest. */
  readonly name?: string | undefined;
}

/**
 * Creates an API sign-up unit, as the platform's own pages do. There may be two with the same locale and type: then
 * requests that name locale and type match neither (section 4, Subscribe, 4). Inside a transaction.
 */
export function makeUnit(store: Store, companyId: string, fields: UnitFields): SignUpUnit {
  return store.signUpUnits.put({ id: fields.id ?? freeId(store), companyId, ...toFields(fields) });
}

/** Changes the given fields of a sign-up unit. A name that was derived is derived again. Inside a transaction. */
export function changeUnit(store: Store, id: string, change: Partial<UnitFields>): SignUpUnit {
  const known = getUnit(store, id);
  const name = change.name ?? known.name;
  return store.signUpUnits.put({
    ...known,
    ...toFields({
      name: name === derivedName(known) ? '' : name,
      language: change.language ?? known.language,
      country: change.country ?? known.country,
      type: change.type ?? known.type,
    }),
  });
}

/** Deletes a sign-up unit; people who subscribed through it stay subscribed. Inside a transaction. */
export function removeUnit(store: Store, id: string): SignUpUnit {
  const unit = getUnit(store, id);
  store.signUpUnits.delete(id);
  return unit;
}

/** The sign-up unit with that id; refused if there is none. */
export function getUnit(store: Store, id: string): SignUpUnit {
  return store.signUpUnits.get(id) ?? noSuch('sign-up unit', id);
}

function toFields({ name = '', language, country, type }: UnitFields): Omit<SignUpUnit, 'id' | 'companyId'> {
  if (!/^[a-z]{2}$/.test(language))
    refuse(unitManagementRules.language, inBody('/language'), language, { sent: language });
  if (!/^[A-Z]{2}$/.test(country)) refuse(unitManagementRules.country, inBody('/country'), country, { sent: country });
  return {
    name: name.trim() || derivedName({ language, country, type }),
    language,
    country,
    type,
  };
}

function derivedName({ language, country, type }: Pick<SignUpUnit, 'language' | 'country' | 'type'>): string {
  return `API ${language}-${country} ${type.toLowerCase().replaceAll('_', ' ')}`;
}

/** Units have plain numbers; the demo world already uses some. */
function freeId(store: Store): string {
  for (;;) {
    const id = String(100_000 + store.nextNumber());
    if (!store.signUpUnits.get(id)) return id;
  }
}
