import type { AnyRule } from '../rules.ts';

/** The rules of the object store, for whoever explains a refusal. Beside the limit and the expiry they are our choice. */
export const objectRules = {
  'objects.method': toRule(405, '4', 'assumed', 'The file is sent to uploadUrl with an HTTP PUT.'),
  'objects.key': toRule(404, '2.2', 'assumed', 'An upload URL names one upload that exists.'),
  'objects.signature': toRule(
    403,
    '2.2',
    'assumed',
    'uploadUrl is pre-signed: it is taken only exactly as it was returned.',
  ),
  'objects.expired': toRule(
    403,
    '2.2',
    'documented',
    'After expiry the file is no longer processed and a new upload must be initiated.',
  ),
  'objects.state': toRule(409, '3', 'assumed', 'An upload takes one file, while it waits for it.'),
  'objects.plain-file': toRule(
    400,
    '4',
    'assumed',
    'The body is the file itself: a plain file upload, not a form and not encoded.',
  ),
  'objects.length': toRule(
    400,
    '4',
    'assumed',
    'A file is stored only when every byte that was announced has arrived.',
  ),
  'objects.too-large': toRule(400, '8', 'documented', 'A catalog file holds at most 2 GB.'),
  'objects.digest': toRule(400, '4', 'assumed', 'When Content-MD5 is sent, it must be the MD5 of the file.'),
  'objects.space': toRule(507, '4', 'assumed', 'The file must fit on the disk of this machine.'),
} as const;

export type ObjectRule = keyof typeof objectRules;

/** Code in the XML → status. The codes are those that S3 uses, as far as it has one for the case. */
const statuses = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InsufficientStorage: 507,
  InternalError: 500,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidObjectState: 409,
  KeyAlreadyStored: 409,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchKey: 404,
  OperationAborted: 409,
  SignatureDoesNotMatch: 403,
} as const;

export type ObjectCode = keyof typeof statuses;

/** A refused PUT. `details` become elements of the XML after Code and Message. */
export interface ObjectRefusal {
  readonly code: ObjectCode;
  /** Null where the client did nothing wrong. */
  readonly rule: ObjectRule | null;
  readonly message: string;
  readonly details: { readonly [name: string]: string };
}

/** Builds a refusal. */
export function refusal(
  code: ObjectCode,
  rule: ObjectRule | null,
  message: string,
  details: ObjectRefusal['details'] = {},
): ObjectRefusal {
  return { code, rule, message, details };
}

/** The HTTP status of a code. */
export function toStatus(code: ObjectCode): number {
  return statuses[code];
}

/** The XML that an S3-style store answers a refused request with. */
export function toXml({ code, message, details }: ObjectRefusal): string {
  const elements = Object.entries({ Code: code, Message: message, ...details });
  const inner = elements.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/** Text as it may stand in XML 1.0. What XML cannot hold even escaped (control characters) becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"'\r]/g, (character) => entities[character] ?? character);
}

type RuleText = Omit<AnyRule, 'id'>;

function toRule(status: number, section: string, provenance: RuleText['provenance'], says: string): RuleText {
  return { status, section, provenance, says };
}
