import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import { isMapOf, isText, useKept } from '../../browser-storage.ts';
import { sendFile } from '../../live/backend/send-file.ts';
import { toFailure, type Reported } from '../../live/reported.ts';
import { useToasts } from '../../kit/toasts.ts';
import type { Progress } from './states.ts';

/** The file that is on its way to an upload: it goes on while another view is shown. */
export const useFileSending = defineStore('fileSending', () => {
  const toasts = useToasts();
  const router = useRouter();
  const under = shallowRef<({ readonly id: string; readonly name: string } & Progress) | null>(null);
  /** By upload: the platform itself never learns them. */
  const names = useKept<{ readonly [id: string]: string }>('sandpiper.catalog.names', {}, isMapOf(isText), {
    storage: sessionStorage,
  });
  let ending = new AbortController();
  let view: Reported | null = null;

  /** Shows what goes wrong in a view. @returns what to call when that is left: then a toast says it */
  function reportTo(reported: Reported): () => void {
    view = reported;
    return () => {
      if (view === reported) view = null;
    };
  }

  /** Nothing may be under way. */
  async function send(id: string, file: File): Promise<void> {
    const report = toasts.begin();
    ending = new AbortController();
    under.value = { id, name: file.name, done: 0, of: file.size };
    names.value = { ...names.value, [id]: file.name };
    const sent = sendFile(
      id,
      file,
      (done, of) => (under.value = { id, name: file.name, done, of }),
      ending.signal,
    ).finally(() => (under.value = null));
    // Only then is it known which view is open.
    await Promise.allSettled([sent]);
    if (view) return void (await view.run(`${file.name} was sent`, () => sent));
    const more = { says: 'Show', act: () => router.push({ name: 'catalog', params: { id } }) };
    await sent.then(
      () => report.say(`${file.name} was sent`, null, { more }),
      (error: unknown) => report.say(toFailure(`${file.name} was not sent:`, error), null, { more, refused: true }),
    );
  }

  return { under, names, reportTo, send, stop: () => ending.abort() };
});
