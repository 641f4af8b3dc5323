import { toIso } from '../time/clock.ts';
import { documented, observed, readsMore, withLimits, type Infer } from '../contract/schema.ts';
import { isE164, isEmail } from '../contract/formats.ts';
import { meantEmail, sayE164 } from '../contract/meant.ts';
import { escapePointer, toName } from '../contract/pointer.ts';
import { toOrigin } from '../people/addresses.ts';
import {
  isBlank,
  isEntry,
  readCustomIdentifiers,
  toCustomIdentifiers,
  type SentCustomIdentifiers,
} from '../people/custom-identifiers.ts';
import type { Deps } from '../deps.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Caller } from '../people/caller.ts';
import {
  inBody,
  fixPhone,
  inObject,
  refuse,
  refuseMissing,
  remove,
  rule,
  rulesOf,
  sayAddress,
  set,
  setMeant,
  show,
  toRefusal,
} from '../rules.ts';
import type { User } from '../records.ts';
import type { Identifiers } from '../people/users.ts';

const longest = 100;
const refusedBlank =
  'Null and text of only white space are refused by the rule identity.no-blanks; leave the field out instead.';

const platformId = observed({
  type: ['string', 'null'],
  maxLength: longest,
  description: refusedBlank,
  examples: ['6123456789'],
});

const ownId = { type: ['string', 'null'], description: refusedBlank, examples: ['customer-1001'] } as const;
/** Section 4, note 11 names the fields; their length is observed (docs/platform.md, Identity). */
const length = { maxLength: longest } as const;

const identityBody = {
  type: 'object',
  properties: {
    phone: readsMore(
      observed({ type: ['string', 'null'], description: `E.164. ${refusedBlank}`, examples: ['+15555550100'] }),
      { format: 'e164' },
    ),
    email: readsMore(
      observed({
        type: ['string', 'null'],
        maxLength: longest,
        description: refusedBlank,
        examples: ['ada@example.com'],
      }),
      { format: 'email' },
    ),
    shopifyId: platformId,
    klaviyoId: platformId,
    clientUserId: withLimits(documented(ownId), length),
    customIdentifiers: documented({
      description: 'A list of names and values; public clients also send a map.',
      examples: [[{ name: 'loyaltyId', value: 'L-1' }]],
      anyOf: [
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'value'],
            properties: { name: observed({ ...ownId, ...length }), value: observed({ ...ownId, ...length }) },
          },
        },
        {
          type: ['object', 'null'],
          description: refusedBlank,
          propertyNames: observed(length),
          additionalProperties: observed({ type: ['string', 'null'], ...length }),
        },
      ],
    }),
  },
  examples: [{ clientUserId: 'customer-1001', phone: '+15555550100' }],
} as const;

type IdentityBody = Infer<typeof identityBody>;

/**
 * The rules of section 4, Identity. Sentence 1 (only system-assigned identifiers, no attributes such as names) is not
 * among them: a server cannot tell a name from an identifier. Sentence 3 describes a behaviour, not a rule: see
 * `linkIdentifiers`.
 */
export const identityRules = {
  noBlanks: rule<{ blanks: readonly string[]; isEnough: boolean }>({
    id: 'identity.no-blanks',
    status: 400,
    section: '4, Identity, 4',
    provenance: 'documented',
    says: 'Omit fields without a valid value; do not send nulls or empty strings.',
    message: ({ blanks }) =>
      `${blanks.map(toName).join(', ')} ${blanks.length === 1 ? 'is' : 'are'} null or blank. Leave out fields without a value.`,
    // In reverse order, so that the positions of earlier list entries stay valid.
    fix: ({ blanks, isEnough }) =>
      isEnough
        ? {
            say: `Leave out ${blanks.map(toName).join(', ')}.`,
            edits: blanks.toReversed().map((at) => remove(inBody(at))),
          }
        : {
            say: `Leave out ${blanks.map(toName).join(', ')}, and name the person by a clientUserId or a custom identifier, and by one further identifier.`,
            edits: [],
          },
  }),
  phone: rule<{ sent: string }>({
    id: 'identity.phone-e164',
    status: 400,
    section: '4, note 11',
    provenance: 'observed',
    says: 'phone is E.164: a plus sign followed by country code and digits.',
    message: ({ sent }) => `The phone ${show(sent)} is not in E.164 form. ${sayE164(sent)}`,
    fix: ({ sent }, place) => fixPhone(sent, place),
  }),
  email: rule<{ sent: string }>({
    id: 'identity.email',
    status: 400,
    section: '4, note 11',
    provenance: 'assumed',
    reason: 'The names of the fields are observed; that the email is checked is not public.',
    says: 'email is an email address.',
    message: ({ sent }) => `The email ${show(sent)} is not an email address. Send one such as ada@example.com.`,
    fix: ({ sent }, place) => setMeant(place, meantEmail(sent), sayAddress.email),
  }),
  ownIdentifier: rule<{ misplaced: Misplaced | null; isAlone: boolean }>({
    id: 'identity.own-identifier',
    status: 400,
    section: '4, note 11',
    provenance: 'observed',
    says: 'A request names at least one of clientUserId and customIdentifiers.',
    message: () =>
      'The request names neither clientUserId nor customIdentifiers. Send at least one of them, and one further identifier such as phone or email.',
    // An invented identifier would link people who have nothing to do with each other.
    fix: ({ misplaced, isAlone }) =>
      misplaced === null
        ? {
            say: `Add the clientUserId that the person has in your system${isAlone ? ', and the phone or the email address of the person' : ''}.`,
            edits: [],
          }
        : {
            say: `Send ${toName(misplaced.at)} as clientUserId.`,
            edits: [remove(inBody(misplaced.at)), set(inBody('/clientUserId'), misplaced.value)],
          },
  }),
  accompanied: rule<{ only: string }>({
    id: 'identity.accompanied',
    status: 400,
    section: '4, Identity, 2',
    provenance: 'documented',
    says: 'A client user identifier or custom identifier must be accompanied by at least one other identifier: phone, email, an identifier of one of two third-party platforms, a client user identifier, or a custom identifier.',
    message: ({ only }) =>
      `${only} is the only identifier, so there is nothing to link it to. Send at least one other identifier, such as phone or email.`,
    fix: () => ({ say: 'Add the phone or the email address of the person.', edits: [] }),
  }),
} as const;

/** POST /identity-resolution/user-identifiers (section 4, Identity; fields: docs/platform.md, Identity). */
const addUserIdentifiers = endpoint({
  operationId: 'identify',
  method: 'POST',
  path: '/identity-resolution/user-identifiers',
  access: 'identity:write',
  summary: 'Link identifiers of a person to one another',
  section: '4, Identity',
  provenance: 'documented',
  rules: rulesOf(identityRules),
  body: identityBody,
  bodyRequired: false,
  replies: { 202: null },
  errors: [400, 429],
  handle({ body, caller, now, note }, deps) {
    linkIdentifiers(deps, caller, body, now, note);
    return { status: 202, body: null };
  },
});

/** The operation of this group. */
export const identityEndpoints: readonly Endpoint[] = [addUserIdentifiers];

/**
 * Finds or creates a person and gives them all the identifiers. If the identifiers belong to several people, those are
 * merged (Identity, 3). Inside a transaction.
 * @param now epoch milliseconds
 */
function linkIdentifiers(
  { users }: Deps,
  caller: Caller,
  body: IdentityBody,
  now: number,
  note: (remark: string) => void,
): User {
  const blanks = blanksOf(body);
  if (blanks[0] !== undefined)
    refuse(identityRules.noBlanks, inBody(blanks[0]), undefined, { blanks, isEnough: isEnough(body) });
  const { phone, email } = body;
  if (phone && !isE164(phone)) refuse(identityRules.phone, inBody('/phone'), phone, { sent: phone });
  if (email && !isEmail(email)) refuse(identityRules.email, inBody('/email'), email, { sent: email });

  const custom = readCustomIdentifiers(body.customIdentifiers, note);
  const identifiers = { ...toIdentifiers(body), customIdentifiers: custom };
  if (!identifiers.clientUserId && custom.length === 0)
    refuse(identityRules.ownIdentifier, inBody(''), body, {
      misplaced: misplacedIn(body),
      isAlone: countOf(body) === 0,
    });
  if (countOf(body) < 2) {
    const only = identifiers.clientUserId ? 'clientUserId' : `The custom identifier ${show(custom[0]?.name)}`;
    const place = inBody(identifiers.clientUserId ? '/clientUserId' : '/customIdentifiers');
    const refusal = toRefusal(identityRules.accompanied, place, body, { only });
    refuseMissing(refusal, body, Object.keys(identityBody.properties), inObject(''));
  }
  return users.findOrMake(caller.companyId, identifiers, { at: toIso(now), from: toOrigin(caller), note });
}

/** A clientUserId in another spelling, or at the place that it has in events. */
interface Misplaced {
  readonly at: string;
  readonly value: string;
}

function misplacedIn(body: object): Misplaced | null {
  const { externalIdentifiers, ...own } = body as { readonly [name: string]: unknown };
  const places: readonly (readonly [within: string, fields: unknown])[] = [
    ['', own],
    ['/externalIdentifiers', externalIdentifiers],
  ];
  for (const [within, fields] of places)
    for (const [name, value] of Object.entries(fields ?? {}))
      if (/^client_?user_?id$/i.test(name) && typeof value === 'string' && !isBlank(value))
        return { at: `${within}/${escapePointer(name)}`, value };
  return null;
}

function toIdentifiers({
  phone,
  email,
  shopifyId,
  klaviyoId,
  clientUserId,
  customIdentifiers,
}: IdentityBody): Identifiers {
  return {
    phone,
    email,
    shopifyId,
    klaviyoId,
    clientUserId,
    customIdentifiers: toCustomIdentifiers(customIdentifiers),
  };
}

/** The number of different identifiers; a repeated custom identifier counts once. */
function countOf(body: IdentityBody): number {
  const { customIdentifiers = [], ...others } = toIdentifiers(body);
  const custom = new Set(customIdentifiers.map(({ name, value }) => JSON.stringify([name, value])));
  return Object.values(others).filter(Boolean).length + custom.size;
}

/** Whether a body without its blank fields and entries is accepted. */
function isEnough(body: IdentityBody): boolean {
  const { customIdentifiers = [], ...others } = toIdentifiers(body);
  const custom = customIdentifiers.filter(({ name, value }) => !isBlank(name) && !isBlank(value)).length;
  const given = Object.values(others).filter((value) => value !== undefined && !isBlank(value)).length;
  return (custom > 0 || !isBlank(others.clientUserId ?? null)) && custom + given > 1;
}

/** JSON pointers of the fields to leave out; if an entry has a blank, the entry. */
function blanksOf({ customIdentifiers = [], ...body }: IdentityBody): readonly string[] {
  const { phone, email, shopifyId, klaviyoId, clientUserId } = body;
  const fields = Object.entries({ phone, email, shopifyId, klaviyoId, clientUserId });
  return [
    ...fields.filter(([, value]) => isBlank(value)).map(([name]) => `/${name}`),
    ...blankEntriesOf(customIdentifiers),
  ];
}

function blankEntriesOf(sent: SentCustomIdentifiers | null): readonly string[] {
  const whole = '/customIdentifiers';
  if (sent === null || isEntry(sent)) return Object.values(sent ?? [null]).some(isBlank) ? [whole] : [];
  const entries: readonly (readonly [at: string, parts: readonly unknown[]])[] = Array.isArray(sent)
    ? sent.map(({ name, value }, index) => [String(index), [name, value]])
    : Object.entries(sent).map(([name, value]) => [escapePointer(name), [name, value]]);
  return entries.filter(([, parts]) => parts.some(isBlank)).map(([at]) => `${whole}/${at}`);
}
