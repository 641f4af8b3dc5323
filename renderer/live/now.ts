import { useIntervalFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useConnection } from './connection.ts';

/** The last time in the range of `Date`. The server's clock does not pass it either. */
const lastMoment = 8_640_000_000_000_000;

/** The current time in epoch milliseconds: real, and on the emulator's clock. Changes once a second. */
export const useNow = defineStore('now', () => {
  const connection = useConnection();
  const wall = shallowRef(Date.now());
  useIntervalFn(() => (wall.value = Date.now()), 1_000);

  const sinceRead = computed(() => Math.max(0, wall.value - connection.clockReadAt));
  const rate = computed(() => (connection.clock?.mode === 'frozen' ? 0 : (connection.clock?.rate ?? 1)));
  const virtual = computed(() =>
    connection.clock
      ? Math.min(lastMoment, Date.parse(connection.clock.now) + sinceRead.value * rate.value)
      : wall.value,
  );
  /** Virtual minus real time as the server measured it, so that the network delay of its answer does not count. */
  const ahead = computed(() => (connection.clock?.offsetMs ?? 0) + sinceRead.value * (rate.value - 1));

  /**
   * The start of the quarter-hour, for dates: lists need not be drawn each second. Midnight starts one in all zones.
   */
  const quarter = computed(() => Math.floor(virtual.value / 900_000) * 900_000);

  /** Milliseconds ahead of `virtual` that may still be the present, because `virtual` changes once a second. */
  const grain = computed(() => 2_000 * Math.max(1, connection.clock?.rate ?? 1));

  return { wall, virtual, ahead, quarter, grain };
});
