import type { IncomingHttpHeaders } from 'node:http';
import { inHeader, refuse } from '../rules.ts';
import { readDigests, type AnnouncedDigest } from './digests.ts';
import { lengthPlace, objectRules } from './rules.ts';

/** The length and checksum that the headers of a PUT announce for its file. */
export interface Announcement {
  /** Bytes; null for a chunked body. */
  readonly length: number | null;
  /** The digests to compare with the file. */
  readonly digests: readonly AnnouncedDigest[];
}

/**
 * Reads the headers of a PUT, and refuses a file that would be stored damaged or cannot be stored, before its first
 * byte is read. Accepts any content type but multipart (section 4: a plain file upload).
 */
export function readAnnouncement(headers: IncomingHttpHeaders, maxBytes: number): Announcement {
  refuseWrapping(headers);
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (length === null && headers['transfer-encoding'] === undefined) {
    return refuse(objectRules.noBody, { in: 'body', at: '' }, undefined, undefined);
  }
  if (length !== null && length > maxBytes) {
    return refuse(objectRules.tooLarge, lengthPlace, length, {
      most: maxBytes,
      seen: { ProposedSize: String(length) },
    });
  }
  return { length, digests: readDigests(headers) };
}

/** Anything around the file would be stored as part of it, and cause a parse error much later. */
function refuseWrapping(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? '';
  if (/^\s*multipart\//i.test(type)) {
    refuseWrapped('Content-Type', type, 'so the file would be stored with the boundaries of the form around it');
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    refuseWrapped('Content-Encoding', encoding, 'so the bytes that arrive are not those of the file');
  }
  const transfer = headers['transfer-encoding'] ?? 'chunked';
  if (transfer.toLowerCase() !== 'chunked') {
    refuseWrapped('Transfer-Encoding', transfer, 'so the bytes that arrive are not those of the file');
  }
  const signing = String(headers['x-amz-content-sha256'] ?? '');
  if (/^STREAMING-/i.test(signing)) {
    refuseWrapped('x-amz-content-sha256', signing, 'so the file would be stored with the headers of its chunks in it');
  }
  const trailer = headers['x-amz-trailer'];
  if (trailer !== undefined) {
    refuseWrapped('x-amz-trailer', String(trailer), 'so the file would be stored with a checksum after it');
  }
  const range = headers['content-range'];
  if (range !== undefined) refuseWrapped('Content-Range', range, 'so only a part of the file would be stored');
}

function refuseWrapped(name: string, sent: string, consequence: string): never {
  const value = sent.slice(0, 200);
  return refuse(objectRules.plainFile, inHeader(name.toLowerCase()), value, { name, value, consequence });
}
