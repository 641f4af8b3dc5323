import { h, type FunctionalComponent } from 'vue';
import { toParts } from '../../emulator/contract/printable.ts';

const rightToLeft = String.raw`[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]`;
/** From the first such letter to the last one that no Latin letter or quotation mark separates from it. */
const run = new RegExp(`(${rightToLeft}(?:[^\\p{Script=Latin}“”"]*${rightToLeft})?)`, 'u');

/**
 * Text of others as it is, in which nothing is hidden or turned around: what has no width or changes the direction is
 * written out (`\u202e`). Copies have the character itself.
 */
export const ExactText: FunctionalComponent<{
  readonly text: string;
  /** It is in a sentence: names that are written from right to left leave the order of the rest as it is. */
  readonly sentence?: boolean;
  /** It is a whole name: of one that has only blanks these are written out. */
  readonly name?: boolean;
}> = ({ text, sentence, name }) => {
  const parts = toParts(text, name).flatMap(({ text: part, writtenOut }) => {
    if (writtenOut !== null) return h('span', { class: 'unseen', 'data-code': writtenOut }, part);
    if (sentence !== true) return part;
    return part.split(run).map((piece, index) => (index % 2 === 1 ? h('bdi', piece) : piece));
  });
  // Most texts: one node, and not a list of nodes with empty ones around it.
  return parts.length === 1 ? parts[0] : parts;
};
ExactText.props = { text: { type: String, required: true }, sentence: Boolean, name: Boolean };
