import { ownRule, remove, rule, set, type Fix, type Place } from '../rules.ts';

interface UnknownFacts {
  readonly name: string;
  /** The field that was probably meant; null if none is similar. */
  readonly nearest: { readonly name: string; readonly place: Place } | null;
  /** The fields that its object takes; `within`: the name of that object, null for the whole input. */
  readonly known: readonly string[];
  readonly within: string | null;
  readonly value: unknown;
  /** Whether it was sent in the query and is a field of the body. */
  readonly isOfBody: boolean;
}

const fixUnknown = ({ name, nearest, value, isOfBody }: UnknownFacts, place: Place): Fix => ({
  say: isOfBody
    ? `Send ${name} in the body, not in the query.`
    : nearest
      ? `Send ${nearest.name} instead.`
      : `Leave ${name} out.`,
  edits: [remove(place), ...(nearest ? [set(nearest.place, value)] : [])],
});

/**
 * The rules about names that an operation does not have. Operations of the platform ignore such names, and note them on
 * the request, unless `--unknown-fields refuse` is chosen.
 */
export const strictRules = {
  unknownField: rule<UnknownFacts>({
    id: 'input.unknown-field',
    status: 400,
    section: '4',
    provenance: 'assumed',
    reason: 'The platform ignores fields that it does not know; refusing them is an option for finding misspelt ones.',
    says: 'If --unknown-fields is refuse, a request has only fields that its operation names. The platform ignores others.',
    message: ({ name, nearest, isOfBody }) =>
      `${name} ${isOfBody ? 'was sent in the query, where it is not read: it is a field of the body' : 'is not a field of this operation'}.${nearest ? ` Did you mean ${nearest.name}?` : ''} It is refused because --unknown-fields is refuse.`,
    fix: fixUnknown,
  }),
  noSuchField: ownRule<UnknownFacts>({
    id: 'control.no-such-field',
    status: 400,
    says: 'A call of the control API has only fields that it takes: a misspelt one would do nothing.',
    message: ({ name, nearest, known, within }) =>
      `There is no ${name} in this call.${nearest ? ` Did you mean ${nearest.name}?` : ''} ${within ?? 'It'} takes ${known.length === 0 ? 'nothing' : known.join(', ')}.`,
    fix: fixUnknown,
    facts: ({ name, nearest, known }) => ({ name, nearest: nearest && nearest.name, known }),
  }),
  repeatedName: rule<{ name: string; repaired: string | null }>({
    id: 'body.repeated-name',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason: 'JSON allows repeated names; refusing them is an option for finding mistakes.',
    says: 'If --unknown-fields is refuse, an object has a name only once. Otherwise only the last value is read, with a note.',
    message: ({ name }) =>
      `${name} is in the body more than once, and only its last value can be read. It is refused because --unknown-fields is refuse.`,
    fix: ({ name, repaired }) => ({
      say: `Send ${name} once.`,
      edits: repaired === null ? [] : [{ op: 'replace-body', text: repaired }],
    }),
  }),
};
