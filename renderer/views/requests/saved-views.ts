import { isText, isWith } from '../../browser-storage.ts';
import { useNamed, type Named } from '../../kit/named.ts';

/** A filter under a name of its own. */
export interface SavedView {
  readonly name: string;
  /** As typed in the filter. */
  readonly q: string;
}

/** The filters that the person keeps, in this browser. */
export const useSavedViews = (): Named<SavedView> =>
  useNamed('sandpiper.requests.views', isWith({ name: isText, q: isText }));
