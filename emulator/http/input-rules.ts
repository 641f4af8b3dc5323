import { cutText } from '../contract/cut-text.ts';
import type { Misfit } from '../contract/validate.ts';
import type { HostProblem } from '../net/host-guard.ts';
import { toPrivateHost } from '../net/private-host.ts';
import { rule, rulesOf, set, remove, show, type Rule } from '../rules.ts';
import { inThousands } from '../contract/digits.ts';
import { sayNearest, withSegmentsOf, type UnknownPath } from './nearest-path.ts';
import { fitRule, type FitFacts } from './fit-rule.ts';
import { bodyRules } from './body/rules.ts';
import { isDecodable } from './query.ts';
import { strictRules } from './strict-rules.ts';

const preflight =
  ' A browser sends this before a page calls another origin (CORS). The platform has no CORS, so a page cannot call it: call it from a server.';

/** How many bytes of the URL and the headers of a request Node reads. */
export const headBytes = 16_384;
/** How many bytes of the extensions of a chunk Node reads. */
const chunkExtensionBytes = 16_384;

/**
 * The rules for the input of every operation: path, method, headers, and that the body fits the operation's schema.
 * Rules about the meaning of the input are in the features.
 */
export const inputRules = {
  host: rule<HostProblem>({
    id: 'request.host',
    status: 403,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The rule keeps web pages from reaching this machine by DNS rebinding (docs/security.md).',
    says: 'A request is addressed to this server: its Host header names this machine, or a name that was allowed.',
    message: ({ says }) => says,
    facts: ({ allow }) => (allow === null ? {} : { allow, here: toPrivateHost(allow) !== null }),
    fix: ({ line }, place) => {
      if (line === undefined) return { say: 'Send the host and port of the base URL.', edits: [] };
      return {
        say: 'Send only the path in the request line.',
        edits: line.path === null ? [] : [set(place, line.path)],
      };
    },
  }),
  crossSite: rule<{ site: string }>({
    id: 'request.cross-site',
    status: 403,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The rule keeps web pages of other sites from calling this machine (docs/security.md).',
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
    reason: 'A request that is not valid HTTP cannot be read.',
    says: 'A request is valid HTTP/1.1.',
    message: ({ problem }) => `The request is not valid HTTP: ${problem}.`,
    fix: () => ({ say: 'Send the request with an HTTP library.', edits: [] }),
  }),
  tls: rule({
    id: 'request.tls',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'Sandpiper listens without TLS; the platform has TLS.',
    says: 'A request uses plain http.',
    message: () =>
      'This port speaks http, but the client began with TLS, as for https://. Use an address with http://.',
    fix: () => ({ say: 'Use http:// instead of https:// in the base URL.', edits: [] }),
  }),
  http2: rule({
    id: 'request.http2',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'Sandpiper speaks HTTP/1.1 only; what else the platform speaks is not public.',
    says: 'A request uses HTTP/1.1.',
    message: () => 'This port speaks HTTP/1.1, but the client began with HTTP/2. Make it use HTTP/1.1.',
    fix: () => ({ say: 'Make the client use HTTP/1.1.', edits: [] }),
  }),
  leftover: rule<{ problem: string }>({
    id: 'request.leftover',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    reason:
      'Bytes after a complete body can only be the next request; what the platform does with others is not public.',
    says: 'The bytes after a body on its connection are the next request.',
    message: ({ problem }) =>
      `What follows the body of the request before it on the same connection is not a request: ${problem}. Probably the Content-Length of that request is too small: it counts bytes, not characters.`,
    fix: () => ({ say: 'Send the number of bytes of the body as Content-Length.', edits: [] }),
  }),
  headSize: rule<{ what: 'URL' | 'head' }>({
    id: 'request.head-size',
    status: 431,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The limit is that of Node’s parser; the limit of the platform is not public.',
    says: `The URL and the headers of a request have together at most ${headBytes / 1024} KB.`,
    message: ({ what }) =>
      `${what === 'URL' ? 'The URL is longer' : 'The URL and the headers are together larger'} than the ${inThousands(headBytes)} bytes that this server reads.`,
    fix: ({ what }) => ({
      say: what === 'URL' ? 'Send a shorter URL.' : 'Send a shorter URL or smaller headers.',
      edits: [],
    }),
    facts: () => ({ limit: headBytes }),
  }),
  chunkSize: rule({
    id: 'request.chunk-extensions',
    status: 413,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The limit is that of Node’s parser; the limit of the platform is not public.',
    says: `The extensions of a chunk have at most ${chunkExtensionBytes / 1024} KB.`,
    message: () =>
      `The chunk extensions are larger than the ${inThousands(chunkExtensionBytes)} bytes that this server reads.`,
    fix: () => ({ say: 'Send chunks without extensions.', edits: [] }),
    facts: () => ({ limit: chunkExtensionBytes }),
  }),
  headTime: rule({
    id: 'request.head-time',
    status: 408,
    section: 'sandbox',
    provenance: 'assumed',
    reason: 'The limit is that of Node’s server; the limit of the platform is not public.',
    says: 'The headers of a request arrive within a minute.',
    message: () => 'The headers of the request did not arrive in time.',
    fix: () => ({ say: 'Send the headers at once.', edits: [] }),
  }),
  unknownPath: rule<UnknownPath>({
    id: 'request.unknown-path',
    status: 404,
    section: '4',
    provenance: 'assumed',
    reason: 'Section 4 lists the paths; it does not say how any other path is answered.',
    says: 'The path is one of the table in section 4, with the same spelling: case counts, and there is no trailing slash.',
    message: (facts) => `There is no operation ${facts.method} ${cutText(facts.path, 200)}. ${sayNearest(facts)}`,
    fix: ({ path, method: sent, nearest, empty }) => {
      if (nearest === null) return { say: 'Call an operation of the table in section 4.', edits: [] };
      const [method = 'GET', template = '/'] = nearest.split(' ');
      const meant = withSegmentsOf(template, path);
      if (meant === null)
        return { say: `Call ${nearest}${empty === null ? '' : `, with a value for ${empty}`}.`, edits: [] };
      const other = method === sent ? [] : [set({ in: 'method', at: '' }, method)];
      return { say: `Call ${nearest}.`, edits: [...other, set({ in: 'path', at: '' }, meant)] };
    },
  }),
  beyond: rule<{ path: string; method: string; known: string }>({
    id: 'request.not-emulated',
    status: 404,
    section: '4',
    provenance: 'observed',
    says: 'Public clients also call operations that are not in the table of section 4; they are not emulated.',
    message: ({ method, path, known }) =>
      `${known === `${method} ${path}` ? '' : `There is no operation ${method} ${cutText(path, 200)}. `}${known} is an operation of the platform that is not in the specification, so it is not emulated.`,
    fix: () => ({ say: 'Call an operation of the specification.', edits: [] }),
  }),
  wrongMethod: rule<{ path: string; method: string; allowed: readonly string[]; list: string | null }>({
    id: 'request.method',
    status: 405,
    section: '4',
    provenance: 'assumed',
    reason: 'Section 4 names one method for each operation; it does not say how others are answered. RFC 9110 has 405.',
    says: 'The method is the one that the table in section 4 names for the path.',
    message: ({ method, path, allowed }) =>
      `${cutText(path, 200)} takes ${allowed.join(', ')}, not ${method}.${method === 'OPTIONS' ? preflight : ''}`,
    fix: ({ method: sent, allowed: [first = 'GET', ...others], list }, place) => {
      if (list !== null) return { say: `Send GET to ${list}.`, edits: [set({ in: 'path', at: '' }, list)] };
      // A preflight asks about another request, and changes nothing.
      const meant = sent === 'OPTIONS' && others.includes('GET') ? 'GET' : first;
      return { say: `Send ${meant}.`, edits: [set(place, meant)] };
    },
    facts: ({ method, allowed }) => ({ method, allowed }),
  }),
  malformedPath: rule<{ path: string }>({
    id: 'request.path-encoding',
    status: 400,
    section: '4',
    provenance: 'assumed',
    reason: 'The specification does not say how a path that cannot be decoded is answered.',
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

/** These rules as a list, with those for the bytes of a body and those of the strict mode. */
export const allInputRules = rulesOf(inputRules, bodyRules, strictRules);
