import { control } from './control.ts';
import type { HarEntry } from '../../http-text/bug-report.ts';

interface Har {
  readonly log: { readonly entries: readonly HarEntry[] };
}

/** Recorded requests as an HTTP archive; secrets are masked unless `reveal`. */
export function fetchHar(ids: readonly string[], reveal = false): Promise<Har> {
  return control<Har>('POST', 'requests/har', { json: { ids, reveal } });
}
