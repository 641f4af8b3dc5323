import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import { isMapOf, isText, useKept } from '../../browser-storage.ts';
import { sendFile } from '../../live/backend/send-file.ts';
import { toFailure, type Reported } from '../../live/reported.ts';
import { useToasts } from '../../kit/toasts.ts';
import type { Progress } from './states.ts';

/** The file that is being sent to an upload. Sending continues while another view is shown. */
export const useFileSending = defineStore('fileSending', () => {
  const toasts = useToasts();
  const router = useRouter();
  const under = shallowRef<({ readonly id: string; readonly name: string } & Progress) | null>(null);
  /** File names by upload, which the platform itself never learns. */
  const names = useKept<{ readonly [id: string]: string }>('sandpiper.catalog.names', {}, isMapOf(isText), {
    storage: sessionStorage,
  });
  let ending = new AbortController();
  let view: Reported | null = null;

  /** Reports failures in a view. @returns a function to call when the view is left, so that a toast reports them */
  function reportTo(reported: Reported): () => void {
    view = reported;
    return () => {
      if (view === reported) view = null;
    };
  }

  /** Sends a file. Must not be called while another file is being sent. */
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
    // Wait for the end: only then is it known which view is open.
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
