/**
 * Rules by which the control API refuses input about recorded requests, records, hosts, the search and webhooks. Rules
 * about the effects of a request are in the part that has the effect: delivery/, messages/, world/ and so on.
 */
import { nearestOf } from '../../contract/unknown-fields.ts';
import { inQuery, ownRule, refuse, remove, set, show } from '../../rules.ts';

function sayNearest(word: string, known: readonly string[]): string {
  const nearest = nearestOf(word, known);
  return nearest === null ? '' : `Did you mean "${nearest}"? `;
}

export const requestRules = {
  unknown: ownRule<{ readonly id: string; readonly dropped: number; readonly kept: number }>({
    id: 'requests.unknown',
    status: 404,
    says: 'The request is recorded.',
    message: ({ id, dropped, kept }) =>
      `No request ${id} is recorded. "sandpiper logs" lists them.${dropped === 0 ? '' : ` ${dropped} older ones were dropped, so that the newest ${kept} fit.`}`,
    fix: 'Name one of those that "sandpiper logs" lists.',
    facts: ({ id, dropped, kept }) => ({ id: id.slice(0, 100), dropped, kept, listedBy: 'logs' }),
  }),
  headers: ownRule<{
    readonly name: string;
    /** The first character that a name must not have; the empty text for an empty name. */
    readonly inName: string | undefined;
    readonly inValue: string | undefined;
  }>({
    id: 'requests.headers',
    status: 400,
    says: 'The headers of a request that is sent by hand are valid HTTP.',
    message: ({ name, inName, inValue }) =>
      inName === undefined
        ? `The header ${show(name)} cannot be sent: its value has the character ${show(inValue)}. A value has letters of Latin-1, digits, signs and spaces, and no line breaks.`
        : `The header ${show(name)} cannot be sent: its name ${inName === '' ? 'is empty' : `has the character ${show(inName)}`}. A name has letters, digits and signs such as "-", and no spaces.`,
    fix: (_facts, place) => ({ say: 'Leave out that header.', edits: [remove(place)] }),
  }),
} as const;

export const recordRules = {
  kind: ownRule<{ readonly kind: string; readonly kinds: readonly string[]; readonly meant: string | null }>({
    id: 'records.kind',
    status: 404,
    says: 'The kind of records is known.',
    message: ({ kind, kinds, meant }) =>
      `There are no records of kind "${kind}". ${meant === null ? '' : `Did you mean "${meant}"? `}Kinds: ${kinds.join(', ')}.`,
    fix: ({ meant }) => (meant === null ? 'Name one of these kinds.' : `Name "${meant}".`),
    facts: ({ kind, kinds }) => ({ kind: kind.slice(0, 100), kinds }),
  }),
  unknown: ownRule<{ readonly kind: string; readonly id: string }>({
    id: 'records.unknown',
    status: 404,
    says: 'The record exists.',
    message: ({ kind, id }) => `There is no record ${id} of kind "${kind}". "sandpiper records ${kind}" lists them.`,
    fix: ({ kind }) => `Name one of those that "sandpiper records ${kind}" lists.`,
    facts: ({ kind, id }) => ({ kind, id: id.slice(0, 100), listedBy: `records ${kind}` }),
  }),
  notSearched: ownRule<{ readonly kind: string }>({
    id: 'records.not-searched',
    status: 400,
    says: 'Only kinds of records that the search over everything finds can be searched.',
    message: ({ kind }) => `Records of kind "${kind}" cannot be searched.`,
    fix: (_facts, place) => ({ say: 'Leave search out, to get all of them.', edits: [remove(place)] }),
  }),
  stateless: ownRule<{ readonly kind: string }>({
    id: 'records.stateless',
    status: 400,
    says: 'Only records with states are moved.',
    message: ({ kind }) => `Records of kind "${kind}" have no states, so nothing moves them.`,
    fix: 'Move a record of a kind that GET /control/machines lists.',
  }),
  event: ownRule<{ readonly kind: string; readonly event: string; readonly events: readonly string[] }>({
    id: 'records.event',
    status: 400,
    says: 'A record is moved by a move of its kind.',
    message: ({ kind, event, events }) =>
      `There is no move "${event}" of ${kind}. ${sayNearest(event, events)}Moves: ${events.join(', ')}.`,
    fix({ event, events }, place) {
      const nearest = nearestOf(event, events);
      return nearest === null
        ? 'Send one of these moves.'
        : { say: `Send "${nearest}".`, edits: [set(place, nearest)] };
    },
    facts: ({ kind, event, events }) => ({ kind, event: event.slice(0, 100), events }),
  }),
} as const;

export const hostRules = {
  allowed: ownRule<{ readonly host: string }>({
    id: 'hosts.allowed',
    status: 409,
    says: 'Only a host that is not allowed yet can be allowed.',
    message: ({ host }) => `The host ${host} is allowed already.`,
    fix: 'Nothing needs to be allowed.',
  }),
  unknown: ownRule<{ readonly host: string }>({
    id: 'hosts.unknown',
    status: 404,
    says: 'Only a host that was allowed while the server ran can be refused again.',
    message: ({ host }) => `The host ${host} was not allowed while the server ran. Settings lists those that were.`,
    fix: 'Name one of the hosts that Settings lists.',
  }),
  public: ownRule<{ readonly host: string }>({
    id: 'control.public-host',
    status: 400,
    says: 'While the server runs, only names are allowed that no one on the public internet can own.',
    message: ({ host }) =>
      `"${host}" may belong to someone on the internet, whose web page could then call the API by DNS rebinding. Allowed here are names of one label with at least three characters, names below test, localhost, local, internal, home.arpa, example and invalid, and a mapped port of this machine such as localhost:9000. If the name is yours, start with --allow-host.`,
    fix: 'Start with --allow-host if the name is yours.',
    facts: ({ host }) => ({ host: host.slice(0, 100) }),
  }),
} as const;

export const searchRules = {
  empty: ownRule({
    id: 'search.empty',
    status: 400,
    says: 'A search has a word to look for.',
    message: () => 'q is empty. Name a word to look for.',
    fix: 'Name a word to look for.',
  }),
} as const;

export const queryRules = {
  contradicts: ownRule<{ readonly name: string; readonly other: string }>({
    id: 'control.contradicts',
    status: 400,
    says: 'Parameters that contradict each other are not sent together.',
    message: ({ name, other }) => `"${name}" contradicts "${other}"; send one of them.`,
    fix: ({ name }, place) => ({ say: `Leave "${name}" out.`, edits: [remove(place)] }),
  }),
} as const;

export const webhookRules = {
  app: ownRule<{ readonly appId: string | null; readonly companyId: string | null }>({
    id: 'webhooks.app',
    status: 400,
    says: 'A webhook is created by an app of the company.',
    message: () => 'There is no such app of that company. "sandpiper records apps" lists them.',
    fix: 'Name an app of the company.',
    facts: ({ appId, companyId }) => ({ appId, companyId, listedBy: 'records apps' }),
  }),
} as const;

/** Refuses a query that has one of these parameters together with `other`. */
export function refuseBeside(
  other: string,
  names: readonly string[],
  query: { readonly [name: string]: unknown },
): void {
  if (query[other] === undefined) return;
  for (const name of names)
    if (query[name] !== undefined) refuse(queryRules.contradicts, inQuery(name), query[name], { name, other });
}
