import { isText, isWith } from '../../browser-storage.ts';
import { useNamed, type Named } from '../../kit/named.ts';

/** A filter saved under a name. */
export interface SavedView {
  readonly name: string;
  /** The text of the filter. */
  readonly q: string;
}

/** The filters that the person saved in this browser. */
export const useSavedViews = (): Named<SavedView> =>
  useNamed('sandpiper.requests.views', isWith({ name: isText, q: isText }));
