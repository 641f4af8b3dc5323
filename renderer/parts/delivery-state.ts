import { Check, CircleDashed, Pause, RotateCcw, Send, X } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { DeliveryCountsView, DeliveryStateView } from '../../emulator/control/calls.ts';

/** The icon of each state, so that colour is never the only sign. States that wait for a person come first. */
export const stateIcons: { readonly [State in DeliveryStateView]: Component } = {
  failed: X,
  retrying: RotateCcw,
  paused: Pause,
  queued: CircleDashed,
  delivering: Send,
  delivered: Check,
};

export const deliveryStates = Object.keys(stateIcons) as readonly DeliveryStateView[];

/** Summarizes a webhook's deliveries: the most important state, and how many are in it. */
export function toHealth(
  counts: DeliveryCountsView,
): { readonly state: DeliveryStateView; readonly says: string } | null {
  const state = deliveryStates.find((one) => counts[one] > 0);
  if (state === undefined) return null;
  const rest = counts.failed + counts.retrying + counts.paused + counts.queued + counts.delivering;
  return { state, says: rest === 0 ? 'all' : String(counts[state]) };
}
