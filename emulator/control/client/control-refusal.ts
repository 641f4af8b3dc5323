import { UserError } from '../../errors.ts';
import type { PlaceView } from '../contract/refusals.ts';

/** A refusal of the control API, in its own words. */
export class ControlRefusal extends UserError {
  override readonly name = 'ControlRefusal';
  readonly status: number;
  /** The id of the rule that refused. */
  readonly rule: string | null;
  /** The place in the call that the refusal is about. */
  readonly place: PlaceView | null;

  constructor(status: number, message: string, rule: string | null, place: PlaceView | null) {
    super(message);
    this.status = status;
    this.rule = rule;
    this.place = place;
  }
}
