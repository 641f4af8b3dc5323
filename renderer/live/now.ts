import { useIntervalFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useConnection } from './connection.ts';

/** The last time in the range of Date; the clock of the server does not pass it either. */
const lastMoment = 8_640_000_000_000_000;

/** What the time is, in milliseconds since the epoch: here, and on the emulator's clock. Once a second. */
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
  /** Virtual less real time, from what the server measured: the way of its answer through the network is not an offset. */
  const ahead = computed(() => (connection.clock?.offsetMs ?? 0) + sinceRead.value * (rate.value - 1));

  /** When the quarter of an hour began: for days, so that a list is not drawn each second. Midnight begins one in all zones. */
  const quarter = computed(() => Math.floor(virtual.value / 900_000) * 900_000);

  /** As `virtual` is read once a second, what is ahead of it by less than this may be the present. Milliseconds. */
  const grain = computed(() => 2_000 * Math.max(1, connection.clock?.rate ?? 1));

  return { wall, virtual, ahead, quarter, grain };
});
