/** The addresses at which this emulator answers. */
export interface Urls {
  /** `{base_url}`, ends in /v1. */
  readonly api: string;
  /** `{auth_url}`. */
  readonly auth: string;
  readonly inspector: string;
}
