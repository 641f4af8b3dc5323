/** The text search of the timeline. */
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { Change, Store } from '../../store/store.ts';
import type { TimelineEntryView } from '../contract/timeline.ts';
import { toOwnEntry, toShownFollowers, type GroupSources } from './groups.ts';
import type { Root } from './root.ts';

/** Whether the words of a cause, or of the entries that followed it, contain a text. @param wanted in lower case */
export type HasText = (root: Root, wanted: string, sources: GroupSources) => boolean;

/**
 * Creates the search. It keeps the words of recorded requests for the next search, because decoding the requests takes
 * most of the time, and each letter that is typed is a search.
 */
export function createHasText(store: Store): HasText {
  let ofRequests = new WeakMap<RecordedExchange, string>();
  const forget = (): void => void (ofRequests = new WeakMap());
  // A recorded request never changes, but its words include the name of the app that sent it.
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

/** The words of an entry in lower case, followed by a space. */
const toWords = ({ says, note }: TimelineEntryView): string => `${says} ${note ?? ''} `.toLowerCase();
const toSays = ({ says }: TimelineEntryView): string => `${says} `.toLowerCase();
