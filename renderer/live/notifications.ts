import { defineStore } from 'pinia';
import { isBoolean, useKept } from '../browser-storage.ts';
import { useConnection } from './connection.ts';

/** Whether the page runs in the desktop window, which can ask the system to notify. */
export function canNotify(): boolean {
  return window.host !== undefined;
}

/** System notifications, off by default. */
export const useNotifications = defineStore('notifications', () => {
  const connection = useConnection();
  const on = useKept('sandpiper.notifications', false, isBoolean);

  connection.watch((message) => {
    if (!on.value || message.type !== 'notice') return;
    // The shell throttles and groups them, and shows none while the person looks at this window.
    void window.host?.notify({ title: 'Sandpiper', body: message.text.slice(0, 2_000), route: '/problems' });
  });

  return { on };
});
