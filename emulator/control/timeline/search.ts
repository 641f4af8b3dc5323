/** The timeline searched by text. */
import type { RecordedExchange } from '../../http/recorded-exchange.ts';
import type { Change, Store } from '../../store/store.ts';
import type { TimelineEntryView } from '../contract/timeline.ts';
import { toOwnEntry, toShownFollowers, type GroupSources } from './groups.ts';
import type { Root } from './root.ts';

/** Whether a cause, or what followed it, has a text in its words. @param wanted in lower case */
export type HasText = (root: Root, wanted: string, sources: GroupSources) => boolean;

/**
 * Creates the search. The words of recorded requests are kept for the next search, because to decode the requests takes
 * most of one, and who types a word searches at each letter.
 */
export function createHasText(store: Store): HasText {
  let ofRequests = new WeakMap<RecordedExchange, string>();
  const forget = (): void => void (ofRequests = new WeakMap());
  // A recorded request stays as it is, but its words have the name of the app that sent it.
  const isNamed = ({ collection }: Change): boolean => collection === 'apps' || collection === 'credentials';
  store.onCommit((changes) => {
    if (changes.some(isNamed)) forget();
  });
  store.onReplace(forget);

  const wordsOf = (root: Root): string => {
    if (root.source.what !== 'request') return toWords(toOwnEntry(root, store));
    const { exchange } = root.source;
    const known = ofRequests.get(exchange);
    if (known !== undefined) return known;
    const words = toWords(toOwnEntry(root, store));
    ofRequests.set(exchange, words);
    return words;
  };

  return (root, wanted, sources) => {
    const own = wordsOf(root);
    if (own.includes(wanted)) return true;
    const followers = toShownFollowers(root, sources);
    return followers.length > 0 && `${own}${followers.map(toSays).join('')}`.includes(wanted);
  };
}

/** In lower case, with a space after them. */
const toWords = ({ says, note }: TimelineEntryView): string => `${says} ${note ?? ''} `.toLowerCase();
const toSays = ({ says }: TimelineEntryView): string => `${says} `.toLowerCase();
