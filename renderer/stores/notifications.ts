import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { useConnection } from './connection.ts';

/** Not more often than this, in milliseconds; what came between is counted in the next one. */
const pause = 10_000;

/** Whether the page runs in the desktop window, which can ask the system to notify. */
export function canNotify(): boolean {
  return window.host?.notify !== undefined;
}

/** Notifications of the system, off until somebody wants them. */
export const useNotifications = defineStore('notifications', () => {
  const connection = useConnection();
  const on = useStorage('sandpiper.notifications', false);
  let held = 0;
  let freeAt = 0;

  connection.watch((message) => {
    if (!on.value || message.type !== 'notice' || !canNotify()) return;
    if (Date.now() < freeAt) return void (held += 1);
    const more = held === 0 ? '' : ` And ${held} more since the last one.`;
    [held, freeAt] = [0, Date.now() + pause];
    void window.host?.notify?.('Sandpiper', `${message.text}${more}`);
  });

  return { on };
});
