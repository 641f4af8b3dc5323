import { UserError } from '../errors.ts';

/** A refusal of the control API, in its own words. */
export class ControlRefusal extends UserError {
  override readonly name = 'ControlRefusal';
  readonly status: number;
  /** The id of the rule that refused. */
  readonly rule: string | null;

  constructor(status: number, message: string, rule: string | null) {
    super(message);
    this.status = status;
    this.rule = rule;
  }
}
