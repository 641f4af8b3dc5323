/** The places where secrets are written, whatever they are: headers, JSON, forms and signed URLs. Pure. */

const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-amz-credential)$|token(?![-_]?(?:type|url))|secret|password|api[-_]?key|signing[-_]?key|signature/i;

/** Whether the value of a header, a field or a parameter of this name is a secret. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

/** Matches every text with a secret in one of these places. Most texts do not match, and need no further test. */
const mayHaveSecret =
  /authorization|cookie|x-amz-|token|secret|password|api[-_]?key|signing[-_]?key|signature|code=|Bearer|%[0-9a-f]{2}[\w.%[\]-]{0,64}=/i;

const name = String.raw`[\w.-]{1,64}`;
/** A named value in JSON. */
const inJson = new RegExp(String.raw`("(${name})"\s*:\s*")((?:[^"\\]|\\.)+)`, 'g');
/** A named value in JSON inside a string, where a quotation mark of the value has three backslashes. */
const inNested = new RegExp(String.raw`(\\"(${name})\\"\s*:\s*\\")((?:[^"\\]|\\[^"\\]|\\\\(?:\\\\|\\"|[^"\\]))+)`, 'g');
/** A named value in a form or a signed URL. */
const inForm = /((?:^|[?&;])([\w.%[\]-]{1,128})=)([^&\s"'#]+)/gm;
/** A header of a request that is kept as text, because the request could not be parsed. */
const inHead = new RegExp(`^((${name}):[ \\t]*)([^\\r\\n]+)`, 'gm');
const bearer = /(\bBearer\s+)([^\s"'<>\\]+)/g;

/** Maps the value in every place of secrets in a text. */
export function mapSecretValues(text: string, map: (secret: string) => string): string {
  if (!mayHaveSecret.test(text)) return text;
  const inText = (all: string, before: string, of: string, value: string): string =>
    namesSecret(of) ? before + map(value) : all;
  return text
    .replace(inJson, inText)
    .replace(inNested, inText)
    .replace(inForm, (all, before: string, sent: string, value: string) => {
      const [of = ''] = new URLSearchParams(sent).keys();
      // In a form, `code` is an authorization code; in JSON it is a discount code of an offer.
      return namesSecret(of) || of === 'code' ? before + map(value) : all;
    })
    .replace(inHead, (all, before: string, of: string, value: string) =>
      namesSecret(of) ? before + mapCredentials(value, map) : all,
    )
    .replace(bearer, (_all, before: string, secret: string) => before + map(secret));
}

/** Maps the credentials in the value of a header; the scheme before them (`Bearer`) stays. */
export function mapCredentials(value: string, map: (secret: string) => string): string {
  const [, scheme = '', secret = ''] = /^([\w-]+ )?(.*)$/s.exec(value) ?? [];
  return scheme + map(secret);
}

/**
 * Removes the secrets from a value before it is kept. A member with the name of a secret becomes '', and so does the
 * value of a header (a pair of name and value) that carries credentials or is named after them.
 */
export function withoutSecrets<Value>(value: Value): Value {
  return strip(value) as Value;
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return mapSecretValues(value, () => '');
  if (Array.isArray(value)) {
    const [first, second] = value as readonly unknown[];
    if (value.length === 2 && typeof first === 'string' && typeof second === 'string' && namesSecret(first))
      return [first, ''];
    return value.map(strip);
  }
  if (typeof value !== 'object' || value === null) return value;
  // An authorization code is a secret too; a discount code of an offer is not.
  const isGrant = 'grant_type' in value;
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [
      field,
      typeof one === 'string' && (namesSecret(field) || (isGrant && field === 'code')) ? '' : strip(one),
    ]),
  );
}
