import type { ReachView } from '../../emulator/control/calls.ts';

interface ReachWords {
  readonly label: string;
  readonly hint: string;
  /** After “let this webhook reach”. */
  readonly reached: string;
  /** After “send it,”. */
  readonly allowed: string;
}

/** How far deliveries of a webhook may go, as a person chooses it. */
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
 * The reach as a member of a call that sends to an address. The default is left out: a webhook that is registered at the address has
 * a reach of its own, and a call with another one is refused.
 */
export const askedReach = (reach: ReachView): { readonly reach?: ReachView } => (reach === 'loopback' ? {} : { reach });
