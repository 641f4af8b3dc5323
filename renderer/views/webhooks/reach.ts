import type { ReachView } from '../../../emulator/control/protocol.ts';

/** How far deliveries of a webhook may go, as a person chooses it. */
export const reachWords: { readonly [Reach in ReachView]: { readonly label: string; readonly hint: string } } = {
  loopback: { label: 'this machine only', hint: 'nothing leaves it' },
  private: { label: 'private networks too', hint: 'containers, your LAN' },
  public: { label: 'anywhere', hint: 'the internet too' },
};

export const reachOptions = (['loopback', 'private', 'public'] as const).map((value) => ({
  value,
  ...reachWords[value],
}));
