import type { CompletionSource } from '@codemirror/autocomplete';

/**
 * Asks the languages of the editor for options, as CodeMirror does by itself, and keeps them while a word is typed on, where the
 * language does not say otherwise. Options that are looked up again for each letter take no click meanwhile, so that one
 * on a slow machine would be lost.
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
