import { defineStore } from 'pinia';
import { isOneOf, useKept } from '../browser-storage.ts';

const zones = ['UTC', 'local'] as const;

/** The time zone in which times are shown. */
export const useZone = defineStore('zone', () => {
  const zone = useKept<(typeof zones)[number]>('sandpiper.zone', 'UTC', isOneOf(zones));
  return { zone };
});
