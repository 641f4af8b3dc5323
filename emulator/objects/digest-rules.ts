import { inHeader, remove, rule, set, type Place } from '../rules.ts';

interface Mismatch {
  readonly header: string;
  readonly algorithm: string;
  readonly sent: string;
  /** The digest of the bytes that arrived, in the form of the header. */
  readonly right: string;
}

const common = {
  status: 400,
  section: '4, Product catalog upload flow, 2',
  provenance: 'assumed',
  reason: 'The specification does not mention checksums; S3 checks them, and the errors are those of S3.',
} as const;

const leaveOut = (header: string, place: Place) => ({ say: `Leave ${header} out.`, edits: [remove(place)] });

const toHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

export const md5Bytes = 16;

const payload = 'x-amz-content-sha256';

/** Rules about the digests that a client may send with its file, with the codes and statuses of S3. */
export const digestRules = {
  md5Form: rule<{ sent: string }>({
    id: 'objects.digest-form',
    ...common,
    code: 'InvalidDigest',
    says: `Content-MD5 is the base64 form of ${md5Bytes} bytes.`,
    message: () =>
      `Content-MD5 is not the base64 form of ${md5Bytes} bytes. Create it with: openssl md5 -binary FILE | base64; or leave it out.`,
    fix: (_facts, place) => leaveOut('Content-MD5', place),
    details: ({ sent }) => ({ ArgumentValue: sent }),
    facts: () => ({ bytes: md5Bytes }),
  }),
  checksumForm: rule<{ header: string; bytes: number }>({
    id: 'objects.checksum-form',
    ...common,
    code: 'InvalidRequest',
    says: 'An x-amz-checksum header is the base64 form of a checksum of its algorithm.',
    message: ({ header, bytes }) =>
      `${header} is not the base64 form of ${bytes} bytes. Compute it from the file, or leave it out.`,
    fix: ({ header }, place) => leaveOut(header, place),
    facts: ({ header, bytes }) => ({ header, bytes }),
  }),
  oneChecksum: rule<{ names: readonly string[]; kept: string }>({
    id: 'objects.one-checksum',
    ...common,
    code: 'InvalidRequest',
    says: 'A file is sent with one x-amz-checksum header at most.',
    message: ({ names }) => `The request has ${names.join(' and ')}. Send one of them, or none.`,
    fix({ names, kept }) {
      const others = names.filter((name) => name !== kept);
      return { say: `Leave ${others.join(' and ')} out.`, edits: others.map((name) => remove(inHeader(name))) };
    },
    facts: ({ names }) => ({ names }),
  }),
  algorithm: rule<{ chosen: string; header: string | null; algorithm: string | null }>({
    id: 'objects.checksum-algorithm',
    ...common,
    code: 'InvalidRequest',
    says: 'x-amz-sdk-checksum-algorithm names the algorithm of the x-amz-checksum header that is sent with it.',
    message: ({ chosen, header }) =>
      `x-amz-sdk-checksum-algorithm is ${chosen}, and ${header === null ? 'the request has no x-amz-checksum header' : `the checksum is in ${header}`}.`,
    fix: ({ algorithm }, place) =>
      algorithm === null
        ? leaveOut('x-amz-sdk-checksum-algorithm', place)
        : { say: `Send ${algorithm}, or leave it out.`, edits: [set(place, algorithm)] },
    facts: (facts) => ({ ...facts }),
  }),
  payloadForm: rule<{ sent: string }>({
    id: 'objects.payload-form',
    ...common,
    code: 'InvalidArgument',
    says: `${payload} is UNSIGNED-PAYLOAD, or the SHA-256 of the file in hexadecimal.`,
    message: () =>
      `${payload} is neither UNSIGNED-PAYLOAD nor a SHA-256 of 64 hexadecimal digits. Leave it out: the query of uploadUrl is the signature.`,
    fix: (_facts, place) => leaveOut(payload, place),
    details: ({ sent }) => ({ ArgumentName: payload, ArgumentValue: sent }),
    facts: () => ({ digits: 64 }),
  }),
  digest: rule<Mismatch>({
    id: 'objects.digest',
    ...common,
    code: 'BadDigest',
    says: 'Content-MD5 and an x-amz-checksum header, when sent, are those of the file.',
    message: ({ header, algorithm }) =>
      `The ${algorithm} of the received bytes differs from ${header}. Compute it from the file that you send, or leave the header out.`,
    fix: ({ algorithm, right }, place) => ({ say: `Send the ${algorithm} of the file.`, edits: [set(place, right)] }),
    details: ({ sent, right }) => ({ ExpectedDigest: toHex(sent), CalculatedDigest: toHex(right) }),
    facts: ({ header, algorithm }) => ({ header, algorithm }),
  }),
  payload: rule<Mismatch>({
    id: 'objects.payload',
    ...common,
    code: 'XAmzContentSHA256Mismatch',
    says: `${payload}, when it is a digest, is the SHA-256 of the file.`,
    message: ({ header }) =>
      `The SHA-256 of the received bytes differs from ${header}. Compute it from the file that you send, or leave the header out.`,
    fix: ({ right }, place) => ({ say: 'Send the SHA-256 of the file.', edits: [set(place, right)] }),
    details: ({ sent, right }) => ({ ClientComputedContentSHA256: sent, S3ComputedContentSHA256: right }),
    facts: ({ header }) => ({ header }),
  }),
} as const;
