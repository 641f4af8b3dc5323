/** The names under which *Try it* keeps data in this browser. */
const kept = new Set(['sandpiper.try.tabs', 'sandpiper.try.saved', 'sandpiper.try.width']);

/**
 * Runs at the start: removes the data that earlier versions of *Try it* kept in this browser, one entry for each
 * operation, with any client secret that was typed.
 */
export function removeOldStorage(): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith('sandpiper.try.') && !kept.has(name)) localStorage.removeItem(name);
}
