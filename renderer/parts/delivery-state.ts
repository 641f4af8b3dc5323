import { Check, CircleDashed, Pause, RotateCcw, Send, X } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { DeliveryCountsView, DeliveryStateView } from '../../emulator/control/calls.ts';

/** Never colour alone: each state has its sign. Those that wait for a person first. */
export const stateIcons: { readonly [State in DeliveryStateView]: Component } = {
  failed: X,
  retrying: RotateCcw,
  paused: Pause,
  queued: CircleDashed,
  delivering: Send,
  delivered: Check,
};

export const deliveryStates = Object.keys(stateIcons) as readonly DeliveryStateView[];

/** What a webhook's deliveries come to: the state that matters most, and how many are in it. */
export function toHealth(
  counts: DeliveryCountsView,
): { readonly state: DeliveryStateView; readonly says: string } | null {
  const state = deliveryStates.find((one) => counts[one] > 0);
  if (state === undefined) return null;
  const rest = counts.failed + counts.retrying + counts.paused + counts.queued + counts.delivering;
  return { state, says: rest === 0 ? 'all' : String(counts[state]) };
}
