import { inHeader, rule, set, type FactsOfRefusal } from '../rules.ts';
import { inThousands } from '../contract/digits.ts';
import { digestRules } from './digest-rules.ts';

/** Section 8: the size of a catalog file, in bytes. "2 GB" is read as 2 * 1024³, the larger of its two meanings. */
export const maxFileBytes = 2 * 1024 ** 3;

/** The facts for a fix of the URL. `right`: the path and query of the right URL; null if no upload waits for a file. */
export interface UrlFacts {
  readonly what: string;
  readonly details: { readonly [name: string]: string };
  readonly right: string | null;
  /** The content of `what`, as data. */
  readonly facts?: FactsOfRefusal;
}

const resend = 'Send the file to the uploadUrl exactly as the API returned it.';
const again = 'Initiate a new upload with POST /product-catalog/uploads and send the file to its uploadUrl.';
const resendOrAgain = `${resend.slice(0, -1)}; if no upload waits for it, initiate a new one with POST /product-catalog/uploads.`;
const command = "curl -T FILE 'UPLOAD_URL'";

const toRightUrl = ({ right }: UrlFacts) =>
  right === null ? { say: resendOrAgain, edits: [] } : { say: resend, edits: [set({ in: 'path', at: '' }, right)] };
const initiateAgain = () => ({ say: again, edits: [] });

/**
 * The rules of the object store. `code` is the code of S3, if S3 has one for the case. Except for the limit and the
 * expiry these rules are our choice, because the specification says only "a plain file upload".
 */
export const objectRules = {
  method: rule<{ method: string }>({
    id: 'objects.method',
    status: 405,
    code: 'MethodNotAllowed',
    section: '4, Product catalog upload flow, 2',
    provenance: 'assumed',
    reason:
      'Section 4 says that the file is sent with PUT; how other methods are answered is not public. The error is that of S3.',
    says: 'The file is sent to uploadUrl with an HTTP PUT; nothing else is served there.',
    message: ({ method }) =>
      `The file is sent with PUT, not with ${method}. Files cannot be read back or deleted here; the upload record shows the result.`,
    fix: (_facts, place) => ({ say: 'Send PUT.', edits: [set(place, 'PUT')] }),
    details: ({ method }) => ({ Method: method, ResourceType: 'OBJECT' }),
  }),
  path: rule<{ path: string }>({
    id: 'objects.path',
    status: 404,
    code: 'NoSuchKey',
    section: '2.2',
    provenance: 'assumed',
    reason: 'The form of the upload URL is not public.',
    says: 'The path of an upload URL contains the key of an upload.',
    message: ({ path }) => `${path} does not name an object. ${resend}`,
    fix: () => ({ say: resendOrAgain, edits: [] }),
  }),
  key: rule<{ key: string }>({
    id: 'objects.key',
    status: 404,
    code: 'NoSuchKey',
    section: '2.2',
    provenance: 'assumed',
    reason: 'The form of the upload URL is not public; the error is that of S3.',
    says: 'An upload URL names one upload that exists.',
    message: ({ key }) => `No upload has the key ${key}. ${again}`,
    fix: initiateAgain,
    details: ({ key }) => ({ Key: key }),
  }),
  permission: rule<UrlFacts>({
    id: 'objects.permission',
    status: 403,
    code: 'AccessDenied',
    section: '2.2',
    provenance: 'assumed',
    reason: 'Section 2.2 says that the URL is pre-signed; the error is that of S3.',
    says: 'The query of uploadUrl grants access; it is sent completely.',
    message: ({ what }) => `${what} ${resend}`,
    fix: toRightUrl,
    details: ({ details }) => details,
    facts: ({ facts = {} }) => facts,
  }),
  query: rule<UrlFacts>({
    id: 'objects.query',
    status: 400,
    code: 'InvalidArgument',
    section: '2.2',
    provenance: 'assumed',
    reason: 'Section 2.2 says that the URL is pre-signed; the error is that of S3.',
    says: 'Each parameter of uploadUrl is sent once, in the form in which it was returned.',
    message: ({ what }) => `${what} ${resend}`,
    fix: toRightUrl,
    details: ({ details }) => details,
    facts: ({ facts = {} }) => facts,
  }),
  signature: rule<UrlFacts>({
    id: 'objects.signature',
    status: 403,
    code: 'SignatureDoesNotMatch',
    section: '2.2',
    provenance: 'assumed',
    reason: 'Section 2.2 says that the URL is pre-signed; the error is that of S3.',
    says: 'uploadUrl is pre-signed: it is accepted only exactly as it was returned.',
    message: ({ what }) => `${what} ${resend}`,
    fix: toRightUrl,
    details: ({ details }) => details,
    facts: ({ facts = {} }) => facts,
  }),
  expired: rule<{ expires: string; now: string }>({
    id: 'objects.expired',
    status: 403,
    code: 'AccessDenied',
    section: '2.2',
    provenance: 'assumed',
    reason: 'Section 2.2 says that no file is processed after expiry; the status is the one of S3.',
    says: 'After expiry the file is no longer processed and a new upload must be initiated.',
    message: () =>
      'Request has expired. A file is no longer accepted after the upload expires (2.2): initiate a new upload and send the file to its uploadUrl.',
    fix: initiateAgain,
    details: ({ expires, now }) => ({ Expires: expires, ServerTime: now }),
  }),
  uploadExpired: rule<{ id: string; key: string }>({
    id: 'objects.upload-expired',
    status: 409,
    code: 'InvalidObjectState',
    section: '2.2',
    provenance: 'assumed',
    reason: 'Section 2.2 says that no file is processed after expiry; the status is ours.',
    says: 'After expiry the file is no longer processed and a new upload must be initiated.',
    message: ({ id }) => `The upload ${id} expired; a file is no longer processed. ${again}`,
    fix: initiateAgain,
    details: ({ key }) => ({ Key: key }),
  }),
  stored: rule<{ id: string; state: string; key: string }>({
    id: 'objects.stored',
    status: 409,
    code: 'KeyAlreadyStored',
    section: '3',
    provenance: 'assumed',
    reason: 'Section 3 has one file in an upload; what a second one does is not public.',
    says: 'An upload has one file.',
    message: ({ id, state }) => `The file of upload ${id} has already arrived (its status is ${state}). ${again}`,
    fix: initiateAgain,
    details: ({ key }) => ({ Key: key }),
  }),
  gone: rule<{ key: string }>({
    id: 'objects.gone',
    status: 409,
    code: 'OperationAborted',
    section: '3',
    provenance: 'assumed',
    reason: 'The specification does not say what happens to a file whose upload is removed while it is sent.',
    says: 'The upload is there until its file has arrived.',
    message: () =>
      `While the file was being sent, its upload was taken away: by a reset, an undo, an import or a restored snapshot. Nothing of the file was kept. ${again}`,
    fix: initiateAgain,
    details: ({ key }) => ({ Key: key }),
  }),
  busy: rule<{ key: string }>({
    id: 'objects.busy',
    status: 409,
    code: 'OperationAborted',
    section: '3',
    provenance: 'assumed',
    reason: 'The specification does not say what two files at once do.',
    says: 'Only one PUT at a time sends the file of an upload.',
    message: () => 'Another PUT to this URL is in progress. Wait for its reply; if it fails, send the file again.',
    fix: () => ({ say: 'Wait for the reply to the first PUT.', edits: [] }),
    details: ({ key }) => ({ Key: key }),
  }),
  plainFile: rule<{ name: string; value: string; consequence: string }>({
    id: 'objects.plain-file',
    status: 400,
    code: 'InvalidArgument',
    section: '4, Product catalog upload flow, 2',
    provenance: 'assumed',
    reason: 'Section 4 says that it is a plain file upload; how another form is answered is not public.',
    says: 'The body is the file itself: a plain file upload, not a form and not encoded.',
    message: ({ name, value, consequence }) =>
      `${name} is ${value}, ${consequence}. Send the bytes of the file alone and whole: ${command}.`,
    // No edit: removing only the header would store the wrapping as part of the file.
    fix: ({ name }) => ({ say: `Send the file itself, without ${name}.`, edits: [] }),
    details: ({ name, value }) => ({ ArgumentName: name, ArgumentValue: value }),
  }),
  noBody: rule({
    id: 'objects.no-body',
    status: 411,
    code: 'MissingContentLength',
    section: '4, Product catalog upload flow, 2',
    provenance: 'assumed',
    reason: 'Section 4 says that the file is sent; S3 would store an empty one, which is nearly always a mistake.',
    says: 'The file is the body of the PUT; a PUT without a body is not an empty file.',
    message: () => `The request has no body. Send the file as the body of the PUT: ${command}.`,
    fix: () => ({ say: `Send the file: ${command}.`, edits: [] }),
  }),
  cutShort: rule<{ bytes: number; announced: number | null }>({
    id: 'objects.length',
    status: 400,
    code: 'IncompleteBody',
    section: '4, Product catalog upload flow, 2',
    provenance: 'assumed',
    reason: 'The specification does not say what a file that breaks off does; the error is that of S3.',
    says: 'A file is stored only when every byte that was announced has arrived.',
    message: ({ bytes, announced }) =>
      `The body ended after ${bytes} bytes, before ${announced === null ? 'the last chunk' : `all of the ${announced} announced`}. Nothing was kept; send the whole file again.`,
    fix: () => ({ say: 'Send the whole file again.', edits: [] }),
    details: ({ bytes, announced }) => ({
      ReceivedBytes: String(bytes),
      ...(announced !== null && { AnnouncedBytes: String(announced) }),
    }),
    facts: ({ bytes, announced }) => ({ bytes, announced }),
  }),
  tooLarge: rule<{ most: number; seen: { readonly [name: string]: string } }>({
    id: 'objects.too-large',
    status: 400,
    code: 'EntityTooLarge',
    section: '8',
    provenance: 'assumed',
    reason:
      '2 GB is documented; the larger of its two meanings is used, so that nothing is refused that the platform may accept.',
    says: `Catalog file size: 2 GB (${inThousands(maxFileBytes)} bytes).`,
    message: ({ most }) =>
      `A catalog file has at most ${most} bytes. Split the products into several uploads; each updates the products with its ids.`,
    fix: () => ({ say: 'Split the products into several uploads.', edits: [] }),
    details: ({ most, seen }) => ({ MaxSizeAllowed: String(most), ...seen }),
    facts: ({ most }) => ({ limit: most }),
  }),
  ...digestRules,
  space: rule<{ what: string; facts: FactsOfRefusal }>({
    id: 'objects.space',
    status: 507,
    code: 'InsufficientStorage',
    section: '4, Product catalog upload flow, 2',
    provenance: 'assumed',
    reason: 'The file is stored on this machine; the space of the platform is not public.',
    says: 'The file must fit on the disk of this machine.',
    message: ({ what }) =>
      `Disk full: ${what}. Nothing was kept. Free space on the disk that holds the sandbox's data, then send the file again.`,
    fix: () => ({ say: "Free space on the disk that holds the sandbox's data.", edits: [] }),
    facts: ({ facts }) => facts,
  }),
} as const;

/** The place of a request that announces the length of its body. */
export const lengthPlace = inHeader('content-length');
