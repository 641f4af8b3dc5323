import { withoutSecrets } from '../../../emulator/contract/secret-places.ts';
import { isText, isWith } from '../../browser-storage.ts';
import { useNamed, type Named } from '../../kit/named.ts';
import { isInput, type Input } from './input.ts';

/** A request saved under a name. */
export interface SavedRequest {
  readonly name: string;
  readonly operation: string;
  readonly input: Input;
}

/**
 * The requests that the person saved, without secrets. They stay in this browser, like saved filters: they belong to
 * the person, so a reset or another world does not touch them.
 */
export function useSavedRequests(): Named<SavedRequest> {
  const named = useNamed<SavedRequest>(
    'sandpiper.try.saved',
    isWith({ name: isText, operation: isText, input: isInput }),
  );
  return { ...named, save: (request) => named.save(withoutSecrets(request)) };
}
