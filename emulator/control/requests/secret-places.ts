/** Where secrets are written, whatever they are: in headers, in JSON, in forms and in signed URLs. Pure. */

/** Whether a header carries credentials, whatever they are. */
export function isSecretHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i.test(name);
}

const names = 'access_token|refresh_token|id_token|client_secret|signing_?key|secret|api_?key|csrf_token|password';
const isSecretName = new RegExp(`^(?:${names})$`, 'i');
/** In JSON, also inside a string. */
const inJson = new RegExp(String.raw`(\\?"(?:${names})\\?"\s*:\s*\\?")((?:[^"\\]|\\[^"])+)`, 'gi');
/** In a form, or a signed URL. */
const inForm = new RegExp(
  `((?:^|[?&;])(?:${names}|code|x-amz-(?:signature|credential|security-token))=)([^&\\s"'#]+)`,
  'gim',
);

/** The text with every value in a place of secrets mapped. */
export function mapSecretValues(text: string, map: (secret: string) => string): string {
  const replace = (_all: string, before: string, secret: string): string => before + map(secret);
  return text.replace(inJson, replace).replace(inForm, replace);
}

/**
 * Something that is about to be kept, without its secrets: the value of a member with the name of a secret is '', and so
 * is that of a header (a pair of name and value) that carries credentials or is named after them.
 */
export function withoutSecrets<Value>(value: Value): Value {
  return strip(value) as Value;
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return mapSecretValues(value, () => '').replaceAll(/\bBearer\s+\S+/gi, 'Bearer ');
  if (Array.isArray(value)) {
    const [name, second] = value as readonly unknown[];
    if (value.length === 2 && typeof name === 'string' && typeof second === 'string' && namesSecret(name))
      return [name, ''];
    return value.map(strip);
  }
  if (typeof value !== 'object' || value === null) return value;
  // A code of an authorization is one too; a code of an offer is not.
  const isGrant = 'grant_type' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && (isSecretName.test(name) || (isGrant && name === 'code')) ? '' : strip(one),
    ]),
  );
}

const namesSecret = (header: string): boolean => isSecretHeader(header) || /token|secret|api-?key/i.test(header);
