import { call } from './control.ts';
import type { HarEntry } from '../../http-text/bug-report.ts';

interface Har {
  readonly log: { readonly entries: readonly HarEntry[] };
}

/** Recorded requests as an HTTP archive; secrets are masked unless `reveal`. */
export async function fetchHar(ids: readonly string[], reveal = false): Promise<Har> {
  // The contract leaves the content to HAR 1.2.
  return (await call('POST /control/requests/har', { body: { ids, reveal } })) as unknown as Har;
}
