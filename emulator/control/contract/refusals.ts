import { provenances } from '../../contract/schema.ts';
import { anyValue, described, list, map, object, oneOf, text, type View } from '../../contract/shape.ts';
import { fixShape, placeShape } from '../../rules.ts';

/** Where a shape or a rule comes from: the specification, public clients, or Sandpiper's own choice. */
export const provenance = oneOf(...provenances);

export type PlaceView = View<typeof placeShape>;
export type EditView = RefusalView['fix']['edits'][number];

/** Why a request was refused: the rule and its section, the place and value in the input, the smallest fix. */
export const refusal = object({
  rule: text,
  section: text,
  source: described('The place where the rule is stated, in words, such as "specification section 4".', text),
  provenance,
  reason: described('Why the rule is assumed; empty if it is not.', text),
  says: described('The requirement of the rule.', text),
  message: text,
  place: placeShape,
  value: anyValue,
  fix: described('The smallest change that satisfies the rule.', fixShape),
  facts: described('The facts of the message as data, by name; empty if the rule has none.', map(anyValue)),
});
export type RefusalView = View<typeof refusal>;

const refusedMove = {
  state: described('The state of a record that does not allow a move.', text),
  event: described('The event of the move that was asked for.', text),
  open: described('The events that can be sent by hand now.', list(text)),
};
/** Why a move was refused, the body of a 409. */
export type IllegalMoveView = View<typeof illegalMove>;
const illegalMove = object({ message: text, refusal, ...refusedMove });

/** The reply of the control API if it refuses a request; an internal error has no refusal. */
export const controlError = object({ message: text }, { refusal, ...refusedMove });
export type ControlErrorView = View<typeof controlError>;
