import { anyValue, described, list, object, oneOf, either, text, type View } from '../../contract/shape.ts';

/** Where a shape or a rule comes from: the specification, public clients, or our own choice. */
export const provenance = oneOf('documented', 'observed', 'assumed');

/** A place in a request; `at` is a JSON pointer in a body, else a name. */
export const place = object({ in: oneOf('body', 'form', 'query', 'header', 'path', 'method'), at: text });
export type PlaceView = View<typeof place>;

const edit = either(
  object({ op: { const: 'set' }, place, value: anyValue }),
  object({ op: { const: 'remove' }, place }),
  object({ op: { const: 'replace-body' }, text }),
);
export type EditView = View<typeof edit>;

/** Why a request was refused: the rule and its section, the place and value in the input, the smallest fix. */
export const refusal = object({
  rule: text,
  section: text,
  provenance,
  says: described('What the rule asks for.', text),
  message: text,
  place,
  value: anyValue,
  fix: described('The smallest change with which the rule is met.', object({ say: text, edits: list(edit) })),
});
export type RefusalView = View<typeof refusal>;

/** Why a move was refused, the body of a 409. */
export const illegalMove = object({
  message: text,
  state: text,
  event: text,
  open: described('The events that a hand may send now.', list(text)),
});
export type IllegalMoveView = View<typeof illegalMove>;
