import type { IncomingHttpHeaders } from 'node:http';

import { refusal, type ObjectRefusal } from './answers.ts';
import { tooLarge } from './problems.ts';

/** What a PUT says about the file that follows. */
export interface Announcement {
  /** Bytes; null for a chunked body. */
  readonly length: number | null;
  /** Content-MD5 in lower-case hexadecimal. */
  readonly md5: string | null;
}

/**
 * Reads the headers of a PUT, and refuses what would be stored damaged or cannot be stored at all, before its first
 * byte is read. Any content type is taken but multipart (section 4: a plain file upload).
 */
export function readAnnouncement(headers: IncomingHttpHeaders, maxBytes: number): Announcement | ObjectRefusal {
  const wrapping = findWrapping(headers);
  if (wrapping !== null) return wrapping;
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (length === null && headers['transfer-encoding'] === undefined) {
    return refusal(
      'MissingContentLength',
      'objects.length',
      `The request has no body. Send the file as the body of the PUT: ${command}`,
    );
  }
  if (length !== null && length > maxBytes) return tooLarge(maxBytes, { ProposedSize: String(length) });
  const md5 = headers['content-md5'];
  if (md5 === undefined) return { length, md5: null };
  const digest = Buffer.from(String(md5), 'base64');
  if (digest.length !== 16 || digest.toString('base64') !== md5) {
    return refusal(
      'InvalidDigest',
      'objects.digest',
      'Content-MD5 is not the base64 form of 16 bytes. Make it by: openssl md5 -binary FILE | base64; or leave it out.',
      { ArgumentValue: String(md5).slice(0, 200) },
    );
  }
  return { length, md5: digest.toString('hex') };
}

const command = "curl -T FILE 'UPLOAD_URL'.";

/** Anything around the file would be stored as part of it, and be a parse error much later. */
function findWrapping(headers: IncomingHttpHeaders): ObjectRefusal | null {
  const type = headers['content-type'] ?? '';
  if (/^\s*multipart\//i.test(type)) {
    return wrapped('Content-Type', type, 'so the file would be stored with the boundaries of the form around it');
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    return wrapped('Content-Encoding', encoding, 'so what arrives are not the bytes of the file');
  }
  const transfer = headers['transfer-encoding'] ?? 'chunked';
  if (transfer.toLowerCase() !== 'chunked') {
    return wrapped('Transfer-Encoding', transfer, 'so what arrives are not the bytes of the file');
  }
  const signing = String(headers['x-amz-content-sha256'] ?? '');
  if (/^STREAMING-/i.test(signing)) {
    return wrapped(
      'x-amz-content-sha256',
      signing,
      'so the file would be stored with the signatures of its chunks in it',
    );
  }
  const range = headers['content-range'];
  if (range !== undefined) {
    return wrapped('Content-Range', range, 'so only a part of the file would be stored');
  }
  return null;
}

function wrapped(name: string, value: string, consequence: string): ObjectRefusal {
  return refusal(
    'InvalidArgument',
    'objects.plain-file',
    `${name} is ${value.slice(0, 200)}, ${consequence}. Send the bytes of the file alone and whole: ${command}`,
    { ArgumentName: name, ArgumentValue: value.slice(0, 200) },
  );
}
