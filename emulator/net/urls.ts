/** The addresses at which this emulator answers, as links name them: the public ones, if the start was given some. */
export interface Urls {
  /** `{base_url}`, ends in /v1. */
  readonly api: string;
  /** `{auth_url}`. */
  readonly auth: string;
  readonly inspector: string;
  /** Where it listens, for this process and for others of this machine. */
  readonly local: Omit<Urls, 'local'>;
}
