/** A signature as entered by a person, in every possible reading. Pure. */

/** `hex`: x-attentive-hmac-sha256; `standard`: webhook-signature. */
export type Scheme = 'hex' | 'standard';

export interface Written {
  readonly bytes: Buffer;
  readonly scheme: Scheme;
  /** How it is written; '' if as the scheme writes it. */
  readonly says: string;
}

/** Every reading of the text as a digest. */
export function readSignature(signature: string): readonly Written[] {
  // A header may carry several, one for each key.
  return signature.trim().split(/\s+/).slice(0, 8).flatMap(readOne);
}

function readOne(text: string): readonly Written[] {
  const [, prefix = '', bare = ''] = /^((?:sha256|hmac-sha256|hmac|v1)[=,:]|)(.*)$/is.exec(text) ?? [];
  const readings: Written[] = [];
  const beforeHex = prefix === '' ? '' : `wrote "${prefix}" before the hex`;
  if (/^(?:[0-9a-f]{2}){16,64}$/.test(bare))
    readings.push({ bytes: Buffer.from(bare, 'hex'), scheme: 'hex', says: beforeHex });
  else if (/^(?:[0-9a-f]{2}){16,64}$/i.test(bare))
    readings.push({ bytes: Buffer.from(bare, 'hex'), scheme: 'hex', says: 'wrote the hex in capitals' });
  if (/^[A-Za-z0-9+/_-]{20,}={0,2}$/.test(bare)) {
    const bytes = Buffer.from(bare, 'base64');
    const right = bytes.toString('base64') === bare;
    const says = right
      ? prefix === '' || /^v1,$/i.test(prefix)
        ? ''
        : `wrote "${prefix}" before the base64`
      : /[_-]/.test(bare)
        ? 'wrote base64url (with - and _)'
        : 'wrote base64 without its padding';
    readings.push({ bytes, scheme: 'standard', says });
    const inner = bytes.toString('latin1');
    if (/^(?:[0-9a-f]{2}){16,64}$/i.test(inner))
      readings.push(
        ...(['hex', 'standard'] as const).map((scheme) => ({
          bytes: Buffer.from(inner, 'hex'),
          scheme,
          says: 'wrote the base64 of the hex text',
        })),
      );
  }
  return readings;
}
