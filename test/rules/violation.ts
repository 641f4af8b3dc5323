import type { EmulatorOptions } from '../../emulator/options.ts';
import type { CallOptions, Sandbox } from '../support/sandbox.ts';

/** A request that breaks one rule. The suite sends it, applies the rule's own fix, and checks that the rule passes. */
export interface Violation {
  readonly rule: string;
  readonly request: { readonly method: string; readonly path: string } & CallOptions;
  /** Runs before the request; may return values that only it can know, to be merged into the request. */
  readonly before?: (sandbox: Sandbox) => Promise<Partial<Violation['request']> | void>;
  /** Options that the rule needs. */
  readonly options?: Partial<EmulatorOptions>;
  /** Why the rule has no edit that a program could apply; then only its sentence is checked. */
  readonly noEdit?: string;
}
