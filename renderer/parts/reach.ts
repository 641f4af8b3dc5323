import type { ReachView } from '../../emulator/control/calls.ts';

interface ReachWords {
  readonly label: string;
  readonly hint: string;
  /** After “let this webhook reach”. */
  readonly reached: string;
  /** After “send it,”. */
  readonly allowed: string;
}

/** The person's words for how far deliveries of a webhook may go. */
export const reachWords: { readonly [Reach in ReachView]: ReachWords } = {
  loopback: {
    label: 'this machine only',
    hint: 'nothing leaves it',
    reached: 'this machine only',
    allowed: 'to this machine only',
  },
  private: {
    label: 'private networks too',
    hint: 'containers, your LAN',
    reached: 'private networks',
    allowed: 'private networks allowed',
  },
  public: { label: 'anywhere', hint: 'the internet too', reached: 'anywhere', allowed: 'anywhere' },
};

export const reachOptions = (Object.keys(reachWords) as readonly ReachView[]).map((value) => ({
  value,
  ...reachWords[value],
}));

/**
 * The `reach` of a call that sends to an address. The default is left out: a webhook registered at the address has its
 * own reach, and a call with a different one is refused.
 */
export const askedReach = (reach: ReachView): { readonly reach?: ReachView } => (reach === 'loopback' ? {} : { reach });
