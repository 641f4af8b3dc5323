import { hasRawPlus, meantEmail, sayE164, sayRawPlus } from '../../contract/meant.ts';
import { remove, fixPhone, rule, sayAddress, set, setMeant, show, inBody } from '../../rules.ts';

/**
 * The sign-up unit that a fix or a message names. It has the type that was named, because another type would subscribe
 * to something else.
 */
export interface ProposedUnit {
  readonly id: string;
  /** The ids of other units that fit as well: only the sender knows which one is meant. */
  readonly others: readonly string[];
}

/** The unit that the edit of a fix sends, then the others that fit as well. */
const sayUnit = ({ id, others }: ProposedUnit): string => [id, ...others].map(show).join(' or ');

/** Names the type, if the request did: the company may have units, but none for that type. */
const sayCreate = (type: string | undefined): string =>
  `Create an API sign-up unit${type === undefined ? '' : ` for ${type}`}`;
const someLocale = { language: 'en', country: 'US' };

/**
 * The rules of section 4, Subscribe and Unsubscribe. Subscribe, 1 (a legal disclosure was shown to the person) is not
 * among them: it happens on the sender's own page, where no server can check it.
 */
export const subscriptionRules = {
  phone: rule<{ sent: string }>({
    id: 'subscriptions.phone-e164',
    status: 400,
    section: '4, Subscribe, 5',
    provenance: 'documented',
    says: 'Phone numbers must be E.164: a plus sign followed by country code and digits, with no separators or spaces.',
    message: ({ sent }) => `The phone ${show(sent)} is not in E.164 form. ${sayE164(sent)}`,
    fix: ({ sent }, place) => fixPhone(sent, place),
  }),
  email: rule<{ sent: string; isQuery: boolean }>({
    id: 'subscriptions.email',
    status: 400,
    section: '7',
    provenance: 'assumed',
    reason: 'The specification requires only a text; with another one the user could never be reached.',
    says: 'The email is an email address.',
    message: ({ sent, isQuery }) =>
      `The email ${show(sent)} is not an email address. Send one such as ada@example.com.${isQuery && hasRawPlus(sent) ? sayRawPlus : ''}`,
    fix: ({ sent, isQuery }, place) => setMeant(place, meantEmail(sent, isQuery), sayAddress.email),
  }),
  contact: rule({
    id: 'subscriptions.contact',
    status: 400,
    section: '2.6',
    provenance: 'observed',
    says: 'The user has a phone or an email.',
    message: () => 'user names neither a phone nor an email. Send at least one of user.phone and user.email.',
    // An example would subscribe or unsubscribe another person.
    fix: () => ({ say: 'Send user.phone or user.email.', edits: [] }),
  }),
  queryContact: rule({
    id: 'subscriptions.query-contact',
    status: 400,
    section: '4',
    provenance: 'documented',
    says: 'Query phone or email; one is required.',
    message: () =>
      'The query names neither a phone nor an email. Send ?phone= (with the plus sign as %2B) or ?email=, or both.',
    fix: () => ({ say: 'Send ?phone= or ?email=.', edits: [] }),
  }),
  bothWays: rule({
    id: 'subscriptions.locale-or-source',
    status: 400,
    section: '4, Subscribe, 3',
    provenance: 'observed',
    says: 'A request contains either signUpSourceId or locale, not both.',
    message: () => 'Found both a locale and a sign up source id. Requests must have exclusively one of the two.',
    fix: (_facts, place) => ({
      say: 'Leave out locale: signUpSourceId already names the unit.',
      edits: [remove(place)],
    }),
  }),
  unitNamed: rule<{ missing: string; unit: ProposedUnit | null; hasLocale: boolean; type: string | undefined }>({
    id: 'subscriptions.unit-named',
    status: 400,
    section: '4, Subscribe, 3',
    provenance: 'documented',
    says: 'A request must contain either signUpSourceId, or both locale and subscriptionType.',
    message: ({ missing }) =>
      `The request must contain either signUpSourceId, or both locale and subscriptionType; ${missing}.`,
    fix: ({ unit, hasLocale, type }) =>
      unit
        ? {
            say: `Send signUpSourceId ${sayUnit(unit)}${hasLocale ? ' and leave out locale' : ''}.`,
            edits: [...(hasLocale ? [remove(inBody('/locale'))] : []), set(inBody('/signUpSourceId'), unit.id)],
          }
        : { say: `${sayCreate(type)}, then send its id.`, edits: [] },
  }),
  localeObject: rule<{ sent: string; locale: { readonly language: string; readonly country: string } | null }>({
    id: 'subscriptions.locale-object',
    status: 400,
    section: '2.6',
    provenance: 'assumed',
    reason: 'The object is observed. Public clients also send a text; how the platform answers them is not public.',
    says: 'locale is an object of language and country.',
    message: ({ sent, locale }) =>
      `locale must be an object such as ${show(locale ?? someLocale)}, not the text ${show(sent)}.`,
    fix: ({ locale }, place) =>
      setMeant(place, locale, `Send the language and the country, such as ${show(someLocale)}.`),
  }),
  unknownUnit: rule<{ sent: string; unit: ProposedUnit | null; type: string | undefined }>({
    id: 'subscriptions.unknown-unit',
    status: 400,
    section: '7',
    provenance: 'assumed',
    reason: 'Section 4 says that a sign-up unit is named; it does not say how an unknown one is answered.',
    says: 'signUpSourceId is the id of an API sign-up unit of this company.',
    message: ({ sent, unit, type }) =>
      `This company has no API sign-up unit ${show(sent)}. ${unit ? `Send the id of one that it has, such as ${show(unit.id)}.` : `${sayCreate(type)} first.`}`,
    fix: ({ unit, type }, place) => ({
      say: unit ? `Send ${sayUnit(unit)}.` : `${sayCreate(type)}, then send its id.`,
      edits: unit ? [set(place, unit.id)] : [],
    }),
  }),
  oneUnit: rule<{
    wanted: string;
    matching: readonly string[];
    known: readonly string[];
    /** How many units the company has beyond the `known` ones, which are named. */
    more: number;
    unit: ProposedUnit | null;
    /** The locale of the one unit that matches if case does not count. */
    respelled: { readonly language: string; readonly country: string } | null;
    language: string;
    country: string;
    type: string;
  }>({
    id: 'subscriptions.one-unit',
    status: 400,
    section: '4, Subscribe, 4',
    provenance: 'documented',
    says: 'With locale and subscriptionType, exactly one matching API sign-up unit must exist; zero or several matches yield 400 and nothing is subscribed.',
    message: ({ wanted, matching, known, more }) =>
      matching.length === 0
        ? `No API sign-up unit of this company is for ${wanted} (case counts), so nothing was subscribed. ${known.length > 0 ? `It has ${known.join(', ')}${more > 0 ? ` and ${more} more` : ''}.` : 'It has none yet: create one first.'}`
        : `${matching.length} API sign-up units of this company are for ${wanted}: ${matching.join(', ')}. Exactly one must match, so nothing was subscribed; choose one with signUpSourceId instead.`,
    fix: ({ unit, respelled, type }, place) => {
      if (respelled) return { say: `Send ${show(respelled)}.`, edits: [set(place, respelled)] };
      return unit
        ? {
            say: `Send signUpSourceId ${sayUnit(unit)} instead of locale.`,
            edits: [remove(inBody('/locale')), set(inBody('/signUpSourceId'), unit.id)],
          }
        : { say: `${sayCreate(type)} first.`, edits: [] };
    },
    facts: ({ matching, known, more, language, country, type }) => ({
      count: matching.length,
      matching,
      known,
      more,
      language,
      country,
      type,
    }),
  }),
  notFound: rule<{ by: string }>({
    id: 'subscriptions.not-found',
    status: 404,
    section: '7',
    provenance: 'observed',
    says: 'The phone or the email has subscriptions on file.',
    message: ({ by }) =>
      `Subscriptions not found: this company has none on file for ${by}. Subscribe the person with POST /subscriptions first.`,
    fix: () => ({ say: 'Subscribe the person first, or name one who has subscriptions.', edits: [] }),
  }),
  unknownUser: rule<{ by: string }>({
    id: 'subscriptions.unknown-user',
    status: 404,
    section: '7',
    provenance: 'assumed',
    reason: 'Section 7 has a 404 for most operations; clients also expect 202 here (docs/platform.md, Subscriptions).',
    says: 'A person of this company has the phone or the email that is to be unsubscribed.',
    message: ({ by }) =>
      `Subscriptions not found: this company has no person with ${by}, so there is nothing to unsubscribe. The specification does not say what the platform answers here; with --unknown-unsubscribe accept it is accepted.`,
    // Naming another person would unsubscribe them.
    fix: () => ({ say: 'Name a person of this company, or subscribe the person first.', edits: [] }),
  }),
} as const;
