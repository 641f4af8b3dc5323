import { shallowRef } from 'vue';

const kept = 'sandpiper.token';

/** The control token of this tab; null until one is known (docs/decisions/0009-inspector-token.md). */
export const token = shallowRef<string | null>(null);

/** Whether the server refused the token of this tab, because it was started again with another one. */
export const wasRefused = shallowRef(false);

/** Takes the token out of the address, where it must not stay, or finds the token of this tab or of another one. */
export function openSession(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    history.replaceState(null, '', `${location.pathname}#/`);
    keepToken(given);
  } else token.value = sessionStorage.getItem(kept);
  shareWithOtherTabs();
}

export function keepToken(text: string): void {
  token.value = text;
  sessionStorage.setItem(kept, text);
}

/** Forgets the token after a 401, because it is from an earlier start. */
export function dropToken(): void {
  wasRefused.value ||= token.value !== null;
  token.value = null;
  sessionStorage.removeItem(kept);
}

/** Only pages of this origin share the channel: a new tab asks, and a tab with the token answers. */
function shareWithOtherTabs(): void {
  const channel = new BroadcastChannel(kept);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'ask') {
      if (token.value !== null) channel.postMessage({ token: token.value });
    } else if (token.value === null && typeof data === 'object' && data !== null && 'token' in data) {
      keepToken(String(data.token));
    }
  });
  if (token.value === null) channel.postMessage('ask');
}
