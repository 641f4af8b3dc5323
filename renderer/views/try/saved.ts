import { useStorage } from '@vueuse/core';
import { withoutSecrets } from '../../../emulator/control/requests/secret-places.ts';
import type { Ref } from 'vue';
import type { Input } from './input.ts';

/** A request under a name. */
export interface SavedRequest {
  readonly name: string;
  readonly operation: string;
  readonly input: Input;
}

export interface SavedRequests {
  readonly requests: Ref<readonly SavedRequest[]>;
  /** A request of the same name is replaced. */
  save(request: SavedRequest): void;
  forget(name: string): void;
}

/**
 * The requests that the person keeps, without secrets. They are kept in this browser, like saved filters: they belong
 * to the person, and a reset or another world leaves them alone.
 */
export function useSavedRequests(): SavedRequests {
  const requests = useStorage<readonly SavedRequest[]>('sandpiper.try.saved', []);
  const others = (name: string): readonly SavedRequest[] => requests.value.filter((one) => one.name !== name);
  return {
    requests,
    save: (request) => (requests.value = [...others(request.name), withoutSecrets(request)]),
    forget: (name) => (requests.value = others(name)),
  };
}
