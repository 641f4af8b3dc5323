import type { CompletionSource } from '@codemirror/autocomplete';

/**
 * Asks the languages of the editor for options, like CodeMirror by itself. Unless the language says otherwise, the
 * options stay while a word is typed on. CodeMirror would look them up for each letter and ignore clicks meanwhile, so
 * a click on a slow machine would be lost.
 */
export const keepOptions: CompletionSource = async (context) => {
  for (const complete of context.state.languageDataAt<CompletionSource>('autocomplete', context.pos)) {
    const found = await complete(context);
    if (!found) continue;
    // A shorter word may have more options.
    const typed = context.state.sliceDoc(found.from, context.pos);
    return { validFor: (text) => /^\w*$/.test(text) && text.startsWith(typed), ...found };
  }
  return null;
};
