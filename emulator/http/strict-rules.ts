import { remove, rule, set, type Place } from '../rules.ts';

/** The rules of `--unknown-fields refuse`: what is otherwise ignored, with a note on the request, is refused. */
export const strictRules = {
  unknownField: rule<{
    name: string;
    nearest: { readonly name: string; readonly place: Place } | null;
    value: unknown;
  }>({
    id: 'input.unknown-field',
    status: 400,
    section: '4',
    provenance: 'assumed',
    says: 'If --unknown-fields is refuse, a request has only fields that its operation names. The platform ignores others.',
    message: ({ name, nearest }) =>
      `${name} is not a field of this operation.${nearest ? ` Did you mean ${nearest.name}?` : ''} It is refused because --unknown-fields is refuse.`,
    fix: ({ name, nearest, value }, place) => ({
      say: nearest ? `Send ${nearest.name} instead.` : `Leave ${name} out.`,
      edits: [remove(place), ...(nearest ? [set(nearest.place, value)] : [])],
    }),
  }),
  repeatedName: rule<{ name: string; repaired: string | null }>({
    id: 'body.repeated-name',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'If --unknown-fields is refuse, an object has a name only once. Otherwise only the last value is read, with a note.',
    message: ({ name }) =>
      `${name} is in the body more than once, and only its last value can be read. It is refused because --unknown-fields is refuse.`,
    fix: ({ name, repaired }) => ({
      say: `Send ${name} once.`,
      edits: repaired === null ? [] : [{ op: 'replace-body', text: repaired }],
    }),
  }),
};
