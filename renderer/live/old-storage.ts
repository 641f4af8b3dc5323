/** What *Try it* keeps in this browser. */
const kept = new Set(['sandpiper.try.tabs', 'sandpiper.try.saved', 'sandpiper.try.width']);

/**
 * At the start: removes what earlier versions of *Try it* kept in this browser, one entry for each operation, with a
 * client secret where one was typed.
 */
export function removeOldStorage(): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith('sandpiper.try.') && !kept.has(name)) localStorage.removeItem(name);
}
