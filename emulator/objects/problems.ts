import { refusal, type ObjectRefusal } from './answers.ts';

/** The refusal of a file over the bound (section 8). */
export function tooLarge(maxBytes: number, seen: { readonly [name: string]: string }): ObjectRefusal {
  return refusal(
    'EntityTooLarge',
    'objects.too-large',
    `A catalog file holds at most ${maxBytes} bytes. Split the products over several uploads; each updates those with its ids.`,
    { MaxSizeAllowed: String(maxBytes), ...seen },
  );
}

/** Only PUT is served here. */
export function methodNotAllowed(method: string): ObjectRefusal {
  const message = `The file is sent with PUT, and this is a ${method}. Files cannot be read back or deleted here; the upload record tells how the file fared.`;
  return refusal('MethodNotAllowed', 'objects.method', message, { Method: method, ResourceType: 'OBJECT' });
}

/** Of two PUTs at once, the second. */
export function busy(key: string): ObjectRefusal {
  const message = 'Another PUT to this URL is under way. Wait for its answer; if it fails, send the file again.';
  return refusal('OperationAborted', 'objects.state', message, { Key: key });
}

/** The file does not fit; `what` says how that was seen. */
export function noSpace(what: string): ObjectRefusal {
  const message = `Disk full: ${what}. Nothing was kept. Free space on the disk that holds the sandbox's data, then send the file again.`;
  return refusal('InsufficientStorage', 'objects.space', message);
}

/** The body ended early; `length` is what was announced, null for a chunked body. */
export function cutShort(bytes: number, length: number | null): ObjectRefusal {
  const expected = length === null ? 'the last chunk' : `all of the ${length} announced`;
  const message = `The body ended after ${bytes} bytes, before ${expected}. Nothing was kept; send the whole file again.`;
  return refusal('IncompleteBody', 'objects.length', message, {
    ReceivedBytes: String(bytes),
    ...(length !== null && { AnnouncedBytes: String(length) }),
  });
}

/** The file is not the one that Content-MD5 describes (both in hexadecimal). */
export function badDigest(md5: string | null, digest: string | null): ObjectRefusal {
  const message =
    'The MD5 of the bytes that arrived is not the one in Content-MD5. Compute it from the file you send, or leave the header out.';
  return refusal('BadDigest', 'objects.digest', message, { ExpectedDigest: md5 ?? '', CalculatedDigest: digest ?? '' });
}
