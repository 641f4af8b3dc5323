/** The information about uploaded files for people. The control API has these shapes as they are. */
import { described, integer, list, nullable, object, oneOf, text, type View } from '../../../contract/shape.ts';

/** A rule of the catalog file. Its id is the `errorType` of its issues; those names are ours, none is public. */
export const catalogRule = object(
  {
    id: text,
    section: described('The section of the specification.', text),
    provenance: oneOf('documented', 'assumed'),
    says: text,
    fix: described('The smallest change that satisfies the rule.', text),
  },
  { reason: described('Why the rule is assumed.', text) },
);
export type CatalogRule = View<typeof catalogRule>;

/** One line of a file. */
export const fileLine = object({
  text: described(
    'The beginning of the line, with invalid UTF-8 replaced; null for a line over the limit.',
    nullable(text),
  ),
  bytes: described('The size of the whole line in bytes.', integer),
  faultAt: described(
    'The character of `text` at which the line stops being JSON in UTF-8, from 0; null if the line is valid, or if the text is cut.',
    nullable(integer),
  ),
  fixed: described('The line with its errors fixed; null if one of them has no mechanical fix.', nullable(text)),
});
export type FileLine = View<typeof fileLine>;

/** The effect of saving a line: adds a product, replaces one (`fields` differ), or leaves it as it is. */
export const lineChange = object({
  id: text,
  name: text,
  kind: oneOf('new', 'changed', 'same'),
  fields: described('Names of the fields that differ.', list(text)),
});
export type LineChange = View<typeof lineChange>;

const example = object({ line: integer, pointer: text, value: nullable(text) });
export type XrayExample = View<typeof example>;

const cause = object({
  errorType: text,
  where: described('A JSON pointer with # for every entry of a list.', text),
  count: integer,
  fixable: described('The number of these errors that have a mechanical fix.', integer),
  examples: list(object({ ...example.properties, message: text })),
});
export type XrayCause = View<typeof cause>;

const warning = object({
  kind: oneOf('repeated-name', 'lost-digits', 'variant-without-price', 'image-without-size', 'unknown-field'),
  says: text,
  count: integer,
  examples: list(example),
});
export type XrayWarning = View<typeof warning>;

const changes = object({
  added: integer,
  changed: integer,
  same: integer,
  untouched: described('Saved products that the file does not name, and that stay.', integer),
  variantsRemoved: described('Variants that a changed product no longer has.', integer),
  variantsUnavailable: described('Variants that could be bought, and no longer can.', integer),
  unavailable: described('Products of which nothing can be bought after the save.', integer),
});
export type XrayChanges = View<typeof changes>;

/** The content of an upload's file, and the effect of saving its good lines. */
export const xray = object({
  lines: integer,
  goodLines: integer,
  fixableLines: described('Lines whose errors all have a mechanical fix.', integer),
  causes: described('Errors of one rule at one kind of place, the most frequent first.', list(cause)),
  warnings: described('The parts that are valid, but probably unintended.', list(warning)),
  changes,
});
export type Xray = View<typeof xray>;
