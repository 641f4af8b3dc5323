import { anyValue, described, list, map, object, oneOf, either, text, type View } from '../../contract/shape.ts';

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
  facts: described('What the message says, as data by name; empty if the rule has none.', map(anyValue)),
});
export type RefusalView = View<typeof refusal>;

const refusedMove = {
  state: described('Where a record does not take a move: its state.', text),
  event: described('The move that was asked for.', text),
  open: described('The events that can be sent by hand now.', list(text)),
};
/** Why a move was refused, the body of a 409. */
export type IllegalMoveView = View<typeof illegalMove>;
const illegalMove = object({ message: text, refusal, ...refusedMove });

/** The reply of the control API if it refuses a request; an internal error has no refusal. */
export const controlError = object({ message: text }, { refusal, ...refusedMove });
export type ControlErrorView = View<typeof controlError>;
