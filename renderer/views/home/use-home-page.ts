import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { isOneOf, useKept } from '../../browser-storage.ts';

const pages = ['welcome', 'cockpit'] as const;
export type HomePage = (typeof pages)[number];

/**
 * Decides which page Home is: the welcome on the first run, the cockpit on later ones. The page stays while the window
 * is open, and the person's choice is kept.
 */
export const useHomePage = defineStore('home-page', () => {
  const chosen = useKept<HomePage | ''>('sandpiper.home', '', isOneOf(pages));
  const shows = shallowRef<HomePage>('welcome');
  const decided = shallowRef(false);

  /** @param hasRun whether a client sent requests before this window was opened */
  function decide(hasRun: boolean): void {
    if (decided.value) return;
    shows.value = chosen.value || (hasRun ? 'cockpit' : 'welcome');
    decided.value = true;
  }

  function show(page: HomePage): void {
    chosen.value = page;
    shows.value = page;
  }

  return { shows, decided, decide, show };
});
