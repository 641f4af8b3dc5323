import { shallowRef } from 'vue';

const kept = 'sandpiper.token';

/** The control token of this tab; null until one is known (docs/decisions/0009-inspector-token.md). */
export const token = shallowRef<string | null>(null);

/** Whether the server refused the token of this tab, because it was started again with another one. */
export const wasRefused = shallowRef(false);

/** The tokens that the server refused. Another tab may still have one: it was hidden since then. */
const refused = new Set<string>();

/** Only pages of this origin share the channel: a tab without a token asks, and a tab with one answers. */
const channel = new BroadcastChannel(kept);

/** Finds the token: in the address, in the storage of this tab, or in another tab. */
export function openSession(): void {
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'ask') {
      if (token.value !== null) channel.postMessage({ token: token.value });
    } else if (token.value === null && typeof data === 'object' && data !== null && 'token' in data) {
      const told = String(data.token);
      if (!refused.has(told)) keepToken(told);
    }
  });
  takeFromAddress();
  // Entering the printed address in an open tab loads no page. The router hears the event after this.
  window.addEventListener('popstate', takeFromAddress);
  token.value ??= sessionStorage.getItem(kept);
  if (token.value === null) channel.postMessage('ask');
}

/** Takes the token out of the address, where it must not stay. */
function takeFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  history.replaceState(null, '', `${location.pathname}#/`);
  giveToken(given);
}

/** Keeps a token that the person gave, also for the tabs that wait for one. */
export function giveToken(text: string): void {
  keepToken(text);
  channel.postMessage({ token: text });
}

function keepToken(text: string): void {
  token.value = text;
  sessionStorage.setItem(kept, text);
}

/**
 * Forgets a token after a 401, because it is from an earlier start. A tab that was opened since has the new one.
 * @param text the token of the call, which may be answered after this tab got another one
 */
export function dropToken(text: string): void {
  refused.add(text);
  if (token.value !== text) return;
  wasRefused.value = true;
  token.value = null;
  sessionStorage.removeItem(kept);
  channel.postMessage('ask');
}
