import { isWebUrl } from '../../contract/url.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { jsonOf } from '../../contract/json-of.ts';
import { escapePointer } from '../../contract/pointer.ts';
import { none } from '../../records/lists.ts';
import { freeName, inBody, remove, rule, set, setMeant, show } from '../../rules.ts';

/** Characters that the type of a custom event must not contain (docs/platform.md, Custom events). */
const inTypes = /["'(){}[\]\\|,]/g;
/** Section 2.5: characters that a property's name must not contain. */
const inKeys = /["{}[\]\\|]/g;

/** The rules of custom events (section 2.5). */
export const customEventRules = {
  typeCharacters: rule<{ sent: string; found: readonly string[] }>({
    id: 'custom-events.type-characters',
    status: 400,
    section: '2.5',
    provenance: 'observed',
    says: `type must not contain any of " ' ( ) { } [ ] \\ | and the comma.`,
    message: ({ sent, found }) =>
      `The type ${show(sent)} contains ${listed(found)}. Name the type without ${pronoun(found)}.`,
    fix: ({ sent }, place) => {
      const cleaned = sent.replaceAll(inTypes, '').trim();
      return setMeant(place, cleaned === '' ? null : cleaned, 'Send a type that has other characters, too.');
    },
  }),
  propertyKey: rule<{ key: string; found: readonly string[]; properties: { readonly [key: string]: unknown } }>({
    id: 'custom-events.property-key',
    status: 400,
    section: '2.5',
    provenance: 'documented',
    says: 'Keys of properties must be strings and must not contain the double-quote character, curly braces, square brackets, backslash or vertical bar.',
    message: ({ key, found }) =>
      `The property name ${show(key)} contains ${listed(found)}. Rename it without ${pronoun(found)}.`,
    fix: ({ properties }, place) => {
      const above = place.at.slice(0, place.at.lastIndexOf('/') + 1);
      const taken = new Set(Object.keys(properties));
      const pairs = Object.keys(properties)
        .filter((name) => forbiddenInKey(name).length > 0)
        .map((name) => [name, freeName(name.replaceAll(inKeys, '') || 'property', taken)] as const);
      return {
        say: `Rename ${pairs.map(([from, to]) => `${show(from)} to ${show(to)}`).join(', ')}.`,
        edits: pairs.flatMap(([from, to]) => [
          remove(inBody(above + escapePointer(from))),
          set(inBody(above + escapePointer(to)), properties[from]),
        ]),
      };
    },
  }),
  propertiesText: rule<{ sent: string }>({
    id: 'custom-events.properties-object',
    status: 400,
    section: '4, note 5',
    provenance: 'observed',
    says: 'properties is a JSON object; only GraphQL accepts it as a string that contains one.',
    message: ({ sent }) =>
      `properties must be a JSON object here, not the text ${show(sent)}. GraphQL accepts the text, REST the object itself.`,
    fix: ({ sent }, place) => setMeant(place, toObject(sent), 'Send an object, such as {"orderId": "54321"}.'),
  }),
  mediaUrl: rule<{ sent: string }>({
    id: 'custom-events.media-url',
    status: 400,
    section: '2.5',
    provenance: 'documented',
    says: 'mediaUrl is a URL.',
    message: ({ sent }) => `mediaUrl must be an absolute http or https URL of an image, not ${show(sent)}.`,
    fix: ({ sent }, place) => {
      const url = sent.includes('://') ? '' : `https://${sent.replace(/^\/+/, '')}`;
      return setMeant(place, isWebUrl(url) ? url : null, 'Send the http or https URL of an image.');
    },
  }),
} as const;

/** The forbidden characters that a type contains, each once. */
export function forbiddenInType(type: string): readonly string[] {
  return eachOnce(type.match(inTypes));
}

/** The forbidden characters that a property's name contains, each once. */
export function forbiddenInKey(key: string): readonly string[] {
  return eachOnce(key.match(inKeys));
}

function eachOnce(found: readonly string[] | null): readonly string[] {
  return found === null ? none : [...new Set(found)];
}

/** The object in a JSON text; null if it contains something else. */
function toObject(text: string): { readonly [key: string]: unknown } | null {
  const value = jsonOf(text);
  return isJsonObject(value) ? value : null;
}

const listed = (found: readonly string[]): string =>
  `${found.map((one) => (one === ',' ? 'a comma' : one)).join(' and ')}, which ${found.length === 1 ? 'is' : 'are'} not allowed there`;
const pronoun = (found: readonly string[]): string => (found.length === 1 ? 'it' : 'them');
