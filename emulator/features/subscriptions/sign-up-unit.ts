import { readIdentifier } from '../../people/custom-identifiers.ts';
import { inBody, inObject, refuse, refuseMissing, show, toRefusal } from '../../rules.ts';
import type { SignUpUnit } from '../../records.ts';
import { subscriptionRules, type ProposedUnit } from './rules.ts';
import type { SubscribeBody } from './shapes.ts';

interface Locale {
  readonly language: string;
  readonly country: string;
}

/** A refusal names at most this many units of a company, and the number of the others. */
const mostNamed = 20;

/** How many units a fix names besides the one that it sends. */
const mostProposed = 3;

type Wanted = Pick<SubscribeBody, 'signUpSourceId' | 'locale' | 'subscriptionType'>;

/**
 * The sign-up unit that a request selects (section 4, Subscribe, 3 and 4): by its id, or as the only one of its locale
 * and type. Refused with 400 if it selects none or several.
 * @param units the units of the caller's company
 */
export function chooseUnit(units: readonly SignUpUnit[], wanted: Wanted, note: (remark: string) => void): SignUpUnit {
  const { locale, subscriptionType } = wanted;
  const signUpSourceId = readIdentifier(wanted.signUpSourceId, 'signUpSourceId', note);
  if (signUpSourceId && locale !== undefined) refuse(subscriptionRules.bothWays, inBody('/locale'), locale, undefined);
  if (signUpSourceId) return unitById(units, signUpSourceId, subscriptionType, note);
  if (locale === undefined || subscriptionType === undefined) return refuseUnnamed(units, wanted);
  if (typeof locale === 'string')
    return refuse(subscriptionRules.localeObject, inBody('/locale'), locale, {
      sent: locale,
      locale: readLocale(locale),
    });

  const { language, country } = locale as unknown as Locale;
  const respelled = { language: language.toLowerCase(), country: country.toUpperCase() };
  const unitsFor = (one: Locale): readonly SignUpUnit[] =>
    units.filter(
      (unit) => unit.type === subscriptionType && unit.language === one.language && unit.country === one.country,
    );
  const matching = unitsFor({ language, country });
  const [only, ...others] = matching;
  if (only && others.length === 0) return only;
  return refuse(subscriptionRules.oneUnit, inBody('/locale'), locale, {
    wanted: `locale ${show({ language, country })} and subscriptionType ${subscriptionType}`,
    matching: matching.map((unit) => unit.id),
    known: units.slice(0, mostNamed).map((unit) => `${unit.id} (${unit.language}-${unit.country} ${unit.type})`),
    more: Math.max(0, units.length - mostNamed),
    unit: nearest(units, { type: subscriptionType, language, country }),
    respelled: matching.length === 0 && unitsFor(respelled).length === 1 ? respelled : null,
    language,
    country,
    type: subscriptionType,
  });
}

function unitById(
  units: readonly SignUpUnit[],
  id: string,
  type: SignUpUnit['type'] | undefined,
  note: (remark: string) => void,
): SignUpUnit {
  const unit = units.find((one) => one.id === id);
  if (!unit)
    return refuse(subscriptionRules.unknownUnit, inBody('/signUpSourceId'), id, {
      sent: id,
      unit: nearest(units, { type }),
      type,
    });
  if (type && type !== unit.type) {
    note(
      `subscriptionType ${type} contradicts sign-up unit ${id}, which is for ${unit.type}; the unit counts (assumed).`,
    );
  }
  return unit;
}

function refuseUnnamed(units: readonly SignUpUnit[], wanted: Wanted): never {
  const { locale, subscriptionType } = wanted;
  const hasLocale = locale !== undefined;
  const missing = hasLocale
    ? 'locale was sent without subscriptionType'
    : subscriptionType
      ? 'subscriptionType was sent without locale'
      : 'all three are missing';
  const place = typeof locale === 'object' ? (locale as unknown as Locale) : {};
  const unit = nearest(units, { type: subscriptionType, ...place });
  const refusal = toRefusal(subscriptionRules.unitNamed, inBody(''), undefined, {
    missing,
    unit,
    hasLocale,
    type: subscriptionType,
  });
  return refuseMissing(refusal, wanted, ['signUpSourceId', 'locale', 'subscriptionType'], inObject(''));
}

/**
 * The most similar unit, and the units that are as similar. They have the type, if one was named; the language counts
 * more than the country.
 */
function nearest(
  units: readonly SignUpUnit[],
  wanted: { readonly type?: string | undefined; readonly language?: string; readonly country?: string },
): ProposedUnit | null {
  const agreement = (unit: SignUpUnit): number =>
    (unit.language === wanted.language?.toLowerCase() ? 2 : 0) +
    (unit.country === wanted.country?.toUpperCase() ? 1 : 0);
  const fitting = units.filter(({ type }) => wanted.type === undefined || type === wanted.type);
  const most = Math.max(...fitting.map(agreement));
  const [unit, ...others] = fitting.filter((one) => agreement(one) === most);
  return unit ? { id: unit.id, others: others.slice(0, mostProposed).map(({ id }) => id) } : null;
}

/** `fr_CA` and `fr-ca` are French in Canada. Null for other text. */
function readLocale(text: string): Locale | null {
  const [, language, country] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(text.trim()) ?? [];
  return language && country ? { language: language.toLowerCase(), country: country.toUpperCase() } : null;
}
