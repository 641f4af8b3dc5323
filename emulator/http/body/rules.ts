import { cutText } from '../../contract/cut-text.ts';
import { inThousands } from '../../contract/digits.ts';
import { inHeader, remove, rule, set, show, showExample, type Fix, type Place } from '../../rules.ts';
import type { JsonAdvice } from './correct-json.ts';
import type { Guess } from './guess-encoding.ts';

/** A useful list or object in JSON takes at least this many bytes. */
export const bytesPerContainer = 16;

interface NotJson extends Pick<JsonAdvice, 'say' | 'corrected'> {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const sayEncoding = (encoding: string): Fix => ({
  say: `The body is compressed with ${encoding}: send the header content-encoding: ${encoding}.`,
  edits: [set(inHeader('content-encoding'), encoding)],
});

/** The rules for the bytes of a body: its size, its encoding, and that it is JSON which can be read without harm. */
export const bodyRules = {
  contentType: rule<{ sent: string | null; wanted: string; form: string | null; example: unknown }>({
    id: 'body.content-type',
    status: 415,
    section: '1',
    provenance: 'assumed',
    reason:
      'Section 1 says that bodies are JSON; it does not say that the content type is checked, or with which status. RFC 9110 has 415.',
    says: 'All bodies are JSON in UTF-8 unless stated otherwise.',
    message: ({ sent, wanted, example }) =>
      `${sent === null ? 'The request has a body but no content-type' : `This operation reads ${wanted} in UTF-8, not ${show(sent)}`}${example === null ? '. Send' : ', and the body is not JSON in UTF-8. Send JSON with'} "content-type: ${wanted}".`,
    fix: ({ wanted, form, example }, place) => {
      if (example !== null)
        return { say: `Send JSON with "content-type: ${wanted}", such as ${showExample(example)}.`, edits: [] };
      return {
        say: form === null ? `Send "content-type: ${wanted}".` : 'Send the fields as a form.',
        edits: [...(form === null ? [] : [{ op: 'replace-body' as const, text: form }]), set(place, wanted)],
      };
    },
    facts: ({ sent, wanted }) => ({ sent, wanted }),
  }),
  contentEncoding: rule<{ sent: string; failed: boolean; isDamaged: boolean; guess: Guess }>({
    id: 'body.content-encoding',
    status: 415,
    section: '1',
    provenance: 'assumed',
    reason: 'The specification does not mention compressed bodies; RFC 9110 has 415 for an encoding that is not read.',
    says: 'A body is sent uncompressed, or compressed with gzip, deflate or br.',
    message: ({ sent, failed, isDamaged }) =>
      isDamaged
        ? `The body begins as gzip, as its content-encoding says, but it is incomplete, or something follows it. Compress it again and send all of it.`
        : failed
          ? `The body says content-encoding ${show(sent)} but cannot be decompressed in this way. Send it uncompressed.`
          : `The content-encoding ${show(sent)} is not supported. Send the body uncompressed, or with gzip, deflate or br.`,
    fix: ({ guess, isDamaged }, place) => {
      if (isDamaged) return { say: 'Compress the body again and send all of it, and nothing else.', edits: [] };
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
    reason: 'The size that the platform accepts is not public.',
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
    reason: 'How long the platform waits for a body is not public.',
    says: 'A body arrives without long pauses.',
    message: ({ seconds }) =>
      `The body stopped arriving: nothing for ${seconds} seconds. Send as many bytes as content-length says.`,
    fix: () => ({ say: 'Send the whole body.', edits: [] }),
    facts: ({ seconds }) => ({ seconds }),
  }),
  missingBody: rule<{ example: unknown; stored: object | null }>({
    id: 'body.missing',
    status: 400,
    section: '4',
    provenance: 'documented',
    says: 'JSON body required.',
    message: ({ example }) => `This operation needs a body, for example ${showExample(example)}.`,
    fix: ({ stored }) => ({
      say: 'Send a body.',
      edits: stored === null ? [] : [{ op: 'replace-body', text: JSON.stringify(stored) }],
    }),
  }),
  notUtf8: rule<{ offset: number; isCompressedTwice: boolean; guess: Guess }>({
    id: 'body.utf-8',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason:
      'Section 1 says that bodies are JSON, and RFC 8259 that JSON is UTF-8; the reply to other bytes is not public.',
    says: 'Bodies are UTF-8.',
    message: ({ offset, isCompressedTwice }) =>
      isCompressedTwice
        ? 'The body is not valid UTF-8: it is compressed twice. Compress the text once.'
        : `The body is not valid UTF-8: the byte at position ${offset} belongs to no character. Encode the text as UTF-8 before sending it.`,
    fix: ({ guess, isCompressedTwice }) => {
      if (isCompressedTwice) return { say: 'Compress the body only once.', edits: [] };
      if (guess === null) return { say: 'Encode the body as UTF-8.', edits: [] };
      return 'text' in guess
        ? { say: 'Encode the body as UTF-8.', edits: [{ op: 'replace-body', text: guess.text }] }
        : sayEncoding(guess.contentEncoding);
    },
    facts: ({ offset }) => ({ offset }),
  }),
  notJson: rule<NotJson>({
    id: 'body.json',
    status: 400,
    section: '1',
    provenance: 'documented',
    says: 'All bodies are JSON unless stated otherwise.',
    message: ({ problem, line, column, offset }) =>
      `The body is not valid JSON: ${problem}, at line ${line}, column ${column} (position ${offset}).`,
    fix: ({ say, corrected }) => ({
      say,
      edits: corrected === null ? [] : [{ op: 'replace-body', text: corrected }],
    }),
    facts: ({ line, column, offset }) => ({ line, column, offset }),
  }),
  tooMany: rule<{ limit: number }>({
    id: 'body.too-many',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason: 'The limit protects this machine’s memory; the limit of the platform is not public.',
    says: `JSON has at most one list or object for every ${bytesPerContainer} bytes that the operation reads.`,
    message: ({ limit }) => `The body has more than ${limit} lists and objects.`,
    fix: () => ({ say: 'Send a smaller body.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooManyNames: rule<{ limit: number }>({
    id: 'body.too-many-names',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason: 'The limit protects this machine’s memory; the limit of the platform is not public.',
    says: 'An object in JSON has no more names than the emulator reads.',
    message: ({ limit }) => `An object in the body has more than ${inThousands(limit)} names. Send a list instead.`,
    fix: () => ({ say: 'Send an object with fewer names.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooManyFields: rule<{ limit: number }>({
    id: 'body.too-many-fields',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason: 'The limit protects this machine’s memory; the limit of the platform is not public.',
    says: 'A form has no more fields than the emulator reads.',
    message: ({ limit }) => `The form has more than ${inThousands(limit)} fields. Send only those of the operation.`,
    fix: () => ({ say: 'Send a form with fewer fields.', edits: [] }),
    facts: ({ limit }) => ({ limit }),
  }),
  tooDeep: rule<{ limit: number; offset: number }>({
    id: 'body.depth',
    status: 400,
    section: '1',
    provenance: 'assumed',
    reason: 'The limit protects this machine; the limit of the platform is not public.',
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
    reason: 'The rule protects programs that read the body; what the platform does with such a key is not public.',
    says: 'No object has a key "__proto__", which can change programs that read it.',
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
    reason: 'A larger number cannot be stored exactly; what the platform does with one is not public.',
    says: 'A number fits a 64-bit floating-point number.',
    message: ({ text }) =>
      `The number ${cutText(text, 81)} is too large for a 64-bit floating-point number. Send a text or a smaller number.`,
    fix: ({ text }, place) => ({ say: 'Send it as a text.', edits: [set(place, text)] }),
  }),
};
