import type { Misfit } from '../contract/validate.ts';
import { toPrivateHost } from '../net/private-host.ts';
import { inHeader, rule, set, remove, show, type AnyRule, type Fix, type Place, type Rule } from '../rules.ts';
import { inThousands } from '../contract/digits.ts';
import { withParameters } from './nearest-path.ts';
import { fitRule, type FitFacts } from './fit-rule.ts';
import type { Guess } from './guess-encoding.ts';
import { isDecodable } from './query.ts';
import { strictRules } from './strict-rules.ts';

const preflight =
  ' A browser sends this before a page calls another origin (CORS). The platform has no CORS, so a page cannot call it: call it from a server.';

/** What Node reads of the headers of a request. */
const headBytes = 16_384;

const sayEncoding = (encoding: string): Fix => ({
  say: `The body is compressed with ${encoding}: send the header content-encoding: ${encoding}.`,
  edits: [set(inHeader('content-encoding'), encoding)],
});

/**
 * The rules for the input of every operation: path, method, headers, and that the body fits the operation's schema.
 * Rules about the meaning of the input are in the features.
 */
export const inputRules = {
  host: rule<{ says: string; allow: string | null }>({
    id: 'request.host',
    status: 403,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'A request is addressed to this server: its Host header names this machine, or a name that was allowed.',
    message: ({ says }) => says,
    facts: ({ allow }) => (allow === null ? {} : { allow, here: toPrivateHost(allow) !== null }),
    fix: () => ({ say: 'Send the host and port of the base URL.', edits: [] }),
  }),
  crossSite: rule<{ site: string }>({
    id: 'request.cross-site',
    status: 403,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'Pages of other sites do not call this server: the platform has no CORS, so no integration calls it from a browser.',
    message: ({ site }) =>
      `A page of ${site} sent this request from a browser. The platform cannot be called from a browser; call it from your server.`,
    fix: (_facts, place) => ({ say: 'Send it from a server or a terminal.', edits: [remove(place)] }),
  }),
  http: rule<{ problem: string }>({
    id: 'request.http',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'A request is valid HTTP/1.1.',
    message: ({ problem }) => `The request is not valid HTTP: ${problem}.`,
    fix: () => ({ say: 'Send the request with an HTTP library.', edits: [] }),
  }),
  headSize: rule({
    id: 'request.head-size',
    status: 431,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'The headers of a request have at most 16 KB.',
    message: () => `The headers are larger than the ${inThousands(headBytes)} bytes that this server reads.`,
    fix: () => ({ say: 'Send smaller headers.', edits: [] }),
    facts: () => ({ limit: headBytes }),
  }),
  chunkSize: rule({
    id: 'request.chunk-extensions',
    status: 413,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'The extensions of a chunk have at most 16 KB.',
    message: () => 'The chunk extensions are larger than this server reads.',
    fix: () => ({ say: 'Send chunks without extensions.', edits: [] }),
  }),
  headTime: rule({
    id: 'request.head-time',
    status: 408,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'The headers of a request arrive within a minute.',
    message: () => 'The headers of the request did not arrive in time.',
    fix: () => ({ say: 'Send the headers at once.', edits: [] }),
  }),
  unknownPath: rule<{ path: string; method: string; nearest: string | null }>({
    id: 'request.unknown-path',
    status: 404,
    section: '4',
    provenance: 'assumed',
    says: 'The path is one of the table in section 4, with the same spelling: case counts, and there is no trailing slash.',
    message: ({ method, path, nearest }) =>
      `There is no operation ${method} ${path}. ${nearest === null ? 'None has a similar path.' : `The nearest one is ${nearest}.`}`,
    fix: ({ path, nearest }) => {
      if (nearest === null) return { say: 'Call an operation of the table in section 4.', edits: [] };
      const [method = 'GET', template = '/'] = nearest.split(' ');
      const meant = withParameters(template, path);
      const edits = meant === null ? [] : [set({ in: 'method', at: '' }, method), set({ in: 'path', at: '' }, meant)];
      return { say: `Call ${nearest}.`, edits };
    },
  }),
  beyond: rule<{ path: string; method: string; known: string }>({
    id: 'request.not-emulated',
    status: 404,
    section: '4',
    provenance: 'observed',
    says: 'Public clients also call operations that are not in the table of section 4; they are not emulated.',
    message: ({ method, path, known }) =>
      `${known === `${method} ${path}` ? '' : `There is no operation ${method} ${path}. `}${known} is an operation of the platform that is not in the specification, so it is not emulated.`,
    fix: () => ({ say: 'Call an operation of the specification.', edits: [] }),
  }),
  wrongMethod: rule<{ path: string; method: string; allowed: readonly string[] }>({
    id: 'request.method',
    status: 405,
    section: '4',
    provenance: 'assumed',
    says: 'The method is the one that the table in section 4 names for the path.',
    message: ({ method, path, allowed }) =>
      `${path} takes ${allowed.join(', ')}, not ${method}.${method === 'OPTIONS' ? preflight : ''}`,
    fix: ({ allowed }, place) => ({ say: `Send ${allowed[0] ?? 'GET'}.`, edits: [set(place, allowed[0] ?? 'GET')] }),
    facts: ({ method, allowed }) => ({ method, allowed }),
  }),
  malformedPath: rule<{ path: string }>({
    id: 'request.path-encoding',
    status: 400,
    section: '4',
    provenance: 'assumed',
    says: 'The path is percent-encoded UTF-8.',
    message: ({ path }) =>
      `The path ${show(path)} has a percent sign that does not start a valid UTF-8 escape. Write a literal percent sign as %25.`,
    fix: ({ path }, place) => ({
      say: 'Write each stray percent sign as %25.',
      edits: [
        set(
          place,
          path.replaceAll(/(?:%[0-9a-f]{2})+|%/gi, (escapes) =>
            isDecodable(escapes) ? escapes : escapes.replaceAll('%', '%25'),
          ),
        ),
      ],
    }),
  }),
  contentType: rule<{ sent: string | null; wanted: string; form: string | null }>({
    id: 'body.content-type',
    status: 415,
    section: '1',
    provenance: 'assumed',
    says: 'All bodies are JSON in UTF-8 unless stated otherwise.',
    message: ({ sent, wanted }) =>
      sent === null
        ? `The request has a body but no content-type. Send "content-type: ${wanted}".`
        : `This operation reads ${wanted} in UTF-8, not ${show(sent)}. Send "content-type: ${wanted}".`,
    fix: ({ wanted, form }, place) => ({
      say: form === null ? `Send "content-type: ${wanted}".` : 'Send the fields as a form.',
      edits: [...(form === null ? [] : [{ op: 'replace-body' as const, text: form }]), set(place, wanted)],
    }),
    facts: ({ sent, wanted }) => ({ sent, wanted }),
  }),
  contentEncoding: rule<{ sent: string; failed: boolean; guess: Guess }>({
    id: 'body.content-encoding',
    status: 415,
    section: '1',
    provenance: 'assumed',
    says: 'A body is sent uncompressed, or compressed with gzip, deflate or br.',
    message: ({ sent, failed }) =>
      failed
        ? `The body says content-encoding ${show(sent)} but cannot be decompressed as that. Send it uncompressed.`
        : `The content-encoding ${show(sent)} is not supported. Send the body uncompressed, or with gzip, deflate or br.`,
    fix: ({ guess }, place) => {
      if (guess === null) return { say: 'Send the body uncompressed, without content-encoding.', edits: [] };
      return 'text' in guess
        ? { say: 'Send the body without content-encoding.', edits: [remove(place)] }
        : sayEncoding(guess.contentEncoding);
    },
  }),
  tooLarge: rule<{ limit: number }>({
    id: 'body.too-large',
    status: 413,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'The body is no larger than the operation reads, even after decompression.',
    message: ({ limit }) =>
      `The body is larger than the ${inThousands(limit)} bytes that this operation reads. Send a smaller one, for example with fewer items.`,
    fix: () => ({ say: 'Send a smaller body.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooSlow: rule<{ seconds: number }>({
    id: 'body.too-slow',
    status: 408,
    section: '1',
    provenance: 'assumed',
    says: 'A body arrives without long pauses.',
    message: ({ seconds }) =>
      `The body stopped arriving: nothing for ${seconds} seconds. Send as many bytes as content-length says.`,
    fix: () => ({ say: 'Send the whole body.', edits: [] }),
    facts: ({ seconds }) => ({ seconds }),
  }),
  missingBody: rule<{ example: unknown }>({
    id: 'body.missing',
    status: 400,
    section: '4',
    provenance: 'documented',
    says: 'JSON body required.',
    message: ({ example }) => `This operation needs a body, for example ${show(example)}.`,
    fix: ({ example }) => ({ say: 'Send a body.', edits: [{ op: 'replace-body', text: JSON.stringify(example) }] }),
  }),
  notUtf8: rule<{ offset: number; guess: Guess }>({
    id: 'body.utf-8',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'Bodies are UTF-8.',
    message: ({ offset }) =>
      `The body is not valid UTF-8: the byte at position ${offset} belongs to no character. Encode the text as UTF-8 before sending it.`,
    fix: ({ guess }) => {
      if (guess === null) return { say: 'Encode the body as UTF-8.', edits: [] };
      return 'text' in guess
        ? { say: 'Encode the body as UTF-8.', edits: [{ op: 'replace-body', text: guess.text }] }
        : sayEncoding(guess.contentEncoding);
    },
    facts: ({ offset }) => ({ offset }),
  }),
  notJson: rule<{ problem: string; line: number; column: number; offset: number; repaired: string | null }>({
    id: 'body.json',
    status: 400,
    section: '1',
    provenance: 'documented',
    says: 'All bodies are JSON unless stated otherwise.',
    message: ({ problem, line, column, offset }) =>
      `The body is not valid JSON: ${problem}, at line ${line}, column ${column} (position ${offset}).`,
    fix: ({ line, column, repaired }) => ({
      say: `Correct the JSON at line ${line}, column ${column}.`,
      edits: repaired === null ? [] : [{ op: 'replace-body', text: repaired }],
    }),
    facts: ({ line, column, offset }) => ({ line, column, offset }),
  }),
  tooMany: rule<{ limit: number }>({
    id: 'body.too-many',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'JSON has at most one list or object for every 16 bytes that the operation reads.',
    message: ({ limit }) => `The body has more than ${limit} lists and objects.`,
    fix: () => ({ say: 'Send a smaller body.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooManyNames: rule<{ limit: number }>({
    id: 'body.too-many-names',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'An object in JSON has no more names than the emulator reads.',
    message: ({ limit }) => `An object in the body has more than ${inThousands(limit)} names. Send a list instead.`,
    fix: () => ({ say: 'Send an object with fewer names.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooDeep: rule<{ limit: number; offset: number }>({
    id: 'body.depth',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'JSON is nested no deeper than the emulator reads.',
    message: ({ limit, offset }) =>
      `The body nests objects and arrays more than ${limit} deep (position ${offset}). Send a flatter body.`,
    fix: () => ({ say: 'Send a flatter body.', edits: [] }),
    facts: ({ limit, offset }) => ({ limit, offset }),
  }),
  unsafeKey: rule<{ key: string; meant: { name: string; place: Place }; value: unknown }>({
    id: 'body.unsafe-key',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'No object has a key "__proto__" or "constructor", which can change programs that read it.',
    message: ({ key }) =>
      `The key ${show(key)} is refused, because it can change programs that read it. Use another name.`,
    fix: ({ meant, value }, place) => ({
      say: `Rename it to ${show(meant.name)}.`,
      edits: [remove(place), set(meant.place, value)],
    }),
  }),
  number: rule<{ text: string }>({
    id: 'body.number',
    status: 400,
    section: '1',
    provenance: 'assumed',
    says: 'A number fits a 64-bit floating-point number.',
    message: ({ text }) =>
      `The number ${text.slice(0, 80)}${text.length > 80 ? '…' : ''} is too large for a 64-bit floating-point number. Send a text or a smaller number.`,
    fix: ({ text }, place) => ({ say: 'Send it as a text.', edits: [set(place, text)] }),
  }),
  required: fitRule('input.required', 'A required field is present.'),
  type: fitRule('input.type', 'A value has the type that the contract names.'),
  format: fitRule('input.format', 'A text has the format that the contract names.'),
  choice: fitRule('input.choice', 'A value is one of those that the contract names; case counts.'),
  size: fitRule('input.size', 'A text, list or number is neither smaller nor larger than the contract allows.'),
};

/** The rule for an Ajv keyword. */
export function ruleOfMisfit(misfit: Misfit): Rule<FitFacts> {
  switch (misfit.keyword) {
    case 'required':
      return inputRules.required;
    case 'format':
    case 'pattern':
      return inputRules.format;
    case 'enum':
    case 'const':
      return inputRules.choice;
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minimum':
    case 'maximum':
    case 'minProperties':
      return inputRules.size;
    default:
      return inputRules.type;
  }
}

/** These rules as a list, with those of the strict mode. */
export const allInputRules: readonly AnyRule[] = [...Object.values(inputRules), ...Object.values(strictRules)];
