import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';

/** In which zone times of day are written. */
export const useZone = defineStore('zone', () => {
  const zone = useStorage<'UTC' | 'local'>('sandpiper.zone', 'UTC');
  return { zone };
});
