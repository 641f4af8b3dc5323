import type { Ref } from 'vue';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { toProblem } from '../../live/reported.ts';
import { copyText } from '../../kit/copy.ts';
import { saveAsFile } from '../../kit/files.ts';
import { useConnection } from '../../live/connection.ts';
import { toWords } from '../../live/record-kinds.ts';
import { useToasts } from '../../kit/toasts.ts';
import { bodyProblem, toDraft } from '../../http-text/apply-fix.ts';
import { toBugReport } from '../../http-text/bug-report.ts';
import { toCurl, toFetch, toOwnTest, toTest, type Shown } from '../../http-text/copy-as.ts';
import { fetchHar } from '../../live/backend/har.ts';
import { reveal } from '../../live/backend/send.ts';

/** The forms in which a request can be copied, in the order of `Copies.formats`. */
export const copyLabels = [
  'As curl',
  'As fetch',
  'As a vitest test',
  'As a test with its own sandbox',
  'As a bug report, secrets masked',
  'The link to it',
] as const;

export interface Copies {
  readonly formats: readonly { readonly label: string; copy(): Promise<void> }[];
  curl(): Promise<void>;
  /** A vitest test that starts its own sandbox. */
  test(): Promise<void>;
  archive(): Promise<void>;
}

/** One request to copy in several forms. Code contains the whole key, so that it works; reports do not contain it. */
export function useCopies(view: Ref<RequestView | null>): Copies {
  const connection = useConnection();
  const toasts = useToasts();

  async function copy(
    name: string,
    make: (view: RequestView) => Promise<string> | string,
    remarkOn: (view: RequestView) => string | null = () => null,
  ): Promise<void> {
    const shown = view.value;
    if (!shown) return;
    try {
      await copyText(await make(shown));
      toasts.say([`Copied as ${name}`, remarkOn(shown)].filter(Boolean).join('. '));
    } catch (error) {
      toasts.refuse(`Not copied. ${toProblem(error)}`);
    }
  }

  const copyCode = (name: string, make: (shown: Shown) => string): Promise<void> => {
    const base = connection.welcome?.authUrl ?? '';
    const toCode = async ({ id, status }: RequestView): Promise<string> =>
      make({ base, draft: toDraft(await reveal(id)), status });
    return copy(name, toCode, bodyProblem);
  };

  async function report(shown: RequestView): Promise<string> {
    const { log } = await fetchHar([shown.id]);
    const [entry] = log.entries;
    if (!entry) throw new Error('The request is no longer recorded.');
    return toBugReport({
      view: shown,
      entry,
      version: connection.health?.version ?? '',
      clock: connection.clock,
      words: toWords,
    });
  }

  const link = ({ id }: RequestView): string => `${location.origin}${location.pathname}#/requests/${id}`;
  const curl = (): Promise<void> => copyCode('curl', toCurl);
  const test = (): Promise<void> => copyCode('a test with its own sandbox', toOwnTest);

  const copyAs: { readonly [label in (typeof copyLabels)[number]]: () => Promise<void> } = {
    'As curl': curl,
    'As fetch': () => copyCode('fetch', toFetch),
    'As a vitest test': () => copyCode('a vitest test', toTest),
    'As a test with its own sandbox': test,
    'As a bug report, secrets masked': () => copy('a bug report', report),
    'The link to it': () => copy('a link', link),
  };

  return {
    curl,
    test,
    formats: copyLabels.map((label) => ({ label, copy: copyAs[label] })),
    async archive() {
      const shown = view.value;
      if (!shown) return;
      try {
        saveAsFile(`${shown.id}.har`, await fetchHar([shown.id]));
        toasts.say('Exported as HAR; secrets are masked');
      } catch (error) {
        toasts.refuse(`Not exported. ${toProblem(error)}`);
      }
    },
  };
}
