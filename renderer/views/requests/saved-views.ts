import { useStorage } from '@vueuse/core';
import type { Ref } from 'vue';

/** A filter under a name of its own. */
export interface SavedView {
  readonly name: string;
  /** As typed in the filter. */
  readonly q: string;
}

export interface SavedViews {
  readonly views: Ref<readonly SavedView[]>;
  /** A view of the same name is replaced. */
  save(view: SavedView): void;
  forget(name: string): void;
}

/** The filters that the person keeps, in this browser. */
export function useSavedViews(): SavedViews {
  const views = useStorage<readonly SavedView[]>('sandpiper.requests.views', []);
  const others = (name: string): readonly SavedView[] => views.value.filter((view) => view.name !== name);
  return {
    views,
    save: (view) => (views.value = [...others(view.name), view]),
    forget: (name) => (views.value = others(name)),
  };
}
