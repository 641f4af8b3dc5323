import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { inHeader, refuse } from '../rules.ts';
import { startCrc } from './crc.ts';
import { digestRules, md5Bytes } from './digest-rules.ts';

/** A digest that is computed while the bytes arrive. */
export interface Sum {
  update(chunk: Buffer): unknown;
  digest(): Buffer;
}

const hash = (name: string, bytes: number) => ({ bytes, start: (): Sum => createHash(name) });

/** The algorithms of S3 except xxHash: checksums of xxHash are not compared. */
const algorithms = {
  CRC32: { bytes: 4, start: startCrc32 },
  CRC32C: { bytes: 4, start: (): Sum => startCrc(4, 0, 0x82f63b78) },
  CRC64NVME: { bytes: 8, start: (): Sum => startCrc(8, 0x9a6c9329, 0xac4bc9b5) },
  MD5: hash('md5', md5Bytes),
  SHA1: hash('sha1', 20),
  SHA256: hash('sha256', 32),
  SHA512: hash('sha512', 64),
} as const;

export type Algorithm = keyof typeof algorithms;

/** A digest of the file that a header announces. */
export interface AnnouncedDigest {
  /** The name of the header, as it is usually written. */
  readonly header: string;
  readonly algorithm: Algorithm;
  readonly form: 'base64' | 'hex';
  readonly sent: string;
}

/** Starts the computation of a digest. */
export const startSum = (algorithm: Algorithm): Sum => algorithms[algorithm].start();

/** Reads the digests in the headers of a PUT; refuses those that no file can have, before its first byte is read. */
export function readDigests(headers: IncomingHttpHeaders): readonly AnnouncedDigest[] {
  return [...readMd5(headers), ...readChecksum(headers), ...readPayload(headers)];
}

/** Compares the file with a digest that was announced. */
export function checkDigest({ header, algorithm, form, sent }: AnnouncedDigest, calculated: Buffer): void {
  const right = calculated.toString(form);
  if (right === (form === 'hex' ? sent.toLowerCase() : sent)) return;
  const broken = header === payload ? digestRules.payload : digestRules.digest;
  refuse(broken, inHeader(header.toLowerCase()), sent, { header, algorithm, sent, right });
}

function readMd5(headers: IncomingHttpHeaders): readonly AnnouncedDigest[] {
  const sent = headers['content-md5'];
  if (sent === undefined) return [];
  const announced = { header: 'Content-MD5', algorithm: 'MD5', form: 'base64', sent: String(sent) } as const;
  if (!isDigest(announced)) {
    refuse(digestRules.md5Form, inHeader('content-md5'), cut(announced.sent), { sent: cut(announced.sent) });
  }
  return [announced];
}

const checksum = 'x-amz-checksum-';
const choice = 'x-amz-sdk-checksum-algorithm';
const payload = 'x-amz-content-sha256';
/** Headers that begin like a checksum's, but contain none. */
const others = new Set(['type', 'algorithm', 'mode'].map((name) => checksum + name));

function readChecksum(headers: IncomingHttpHeaders): readonly AnnouncedDigest[] {
  const names = Object.keys(headers).filter((name) => name.startsWith(checksum) && !others.has(name));
  const [header, second] = names;
  const chosen = headers[choice];
  if (header !== undefined && second !== undefined) {
    const kept = names.find((name) => name === checksum + String(chosen).toLowerCase()) ?? header;
    const other = kept === header ? second : header;
    refuse(digestRules.oneChecksum, inHeader(other), cut(String(headers[other])), { names, kept });
  }
  const algorithm = header?.slice(checksum.length).toUpperCase() ?? null;
  if (chosen !== undefined && String(chosen).toUpperCase() !== algorithm) {
    const facts = { chosen: cut(String(chosen)), header: header ?? null, algorithm };
    refuse(digestRules.algorithm, inHeader(choice), facts.chosen, facts);
  }
  if (header === undefined || algorithm === null || !isKnown(algorithm)) return [];
  const announced = { header, algorithm, form: 'base64', sent: String(headers[header]) } as const;
  if (!isDigest(announced)) {
    const { bytes } = algorithms[algorithm];
    refuse(digestRules.checksumForm, inHeader(header), cut(announced.sent), { header, bytes });
  }
  return [announced];
}

/** The SHA-256 of the body that a client signed; other values say that the body was not signed. */
function readPayload(headers: IncomingHttpHeaders): readonly AnnouncedDigest[] {
  const sent = headers[payload];
  if (sent === undefined || sent === 'UNSIGNED-PAYLOAD') return [];
  const text = String(sent);
  if (!/^[0-9a-f]{64}$/i.test(text)) refuse(digestRules.payloadForm, inHeader(payload), cut(text), { sent: cut(text) });
  return [{ header: payload, algorithm: 'SHA256', form: 'hex', sent: text }];
}

const isKnown = (name: string): name is Algorithm => Object.hasOwn(algorithms, name);

function isDigest({ algorithm, sent }: AnnouncedDigest): boolean {
  const bytes = Buffer.from(sent, 'base64');
  return bytes.length === algorithms[algorithm].bytes && bytes.toString('base64') === sent;
}

function startCrc32(): Sum {
  let sum = 0;
  return {
    update: (chunk) => (sum = crc32(chunk, sum)),
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(sum);
      return bytes;
    },
  };
}

const cut = (sent: string): string => sent.slice(0, 200);
