import { h, type FunctionalComponent } from 'vue';
import { toParts } from '../../emulator/contract/printable.ts';

const rightToLeft = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]`;
/** From the first right-to-left letter to the last one, with no Latin letter or quotation mark in between. */
const run = new RegExp(`(${rightToLeft}(?:[^\\p{Script=Latin}“”"]*${rightToLeft})?)`, 'u');

/**
 * Shows a foreign text exactly: nothing in it is hidden or reordered. Characters without width, and those that change
 * the direction, are written out (`\u202e`). Copies have the character itself.
 */
export const ExactText: FunctionalComponent<{
  readonly text: string;
  /** Whether the text is in a sentence. Right-to-left names then leave the order of the rest as it is. */
  readonly sentence?: boolean;
  /** Whether the text is a whole name. A name of only blanks is written out. */
  readonly name?: boolean;
}> = ({ text, sentence, name }) => {
  const parts = toParts(text, name).flatMap(({ text: part, writtenOut }) => {
    if (writtenOut !== null) return h('span', { class: 'unseen', 'data-code': writtenOut }, part);
    if (sentence !== true) return part;
    return part.split(run).map((piece, index) => (index % 2 === 1 ? h('bdi', piece) : piece));
  });
  // Most texts are a single node, which needs no list with empty nodes around it.
  return parts.length === 1 ? parts[0] : parts;
};
ExactText.props = { text: { type: String, required: true }, sentence: Boolean, name: Boolean };
