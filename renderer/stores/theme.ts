import { useStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { watchEffect } from 'vue';

export const themes = ['system', 'light', 'dark'] as const;

/** The chosen theme; `system` leaves it to the media query in tokens.css. */
export const useTheme = defineStore('theme', () => {
  const theme = useStorage<(typeof themes)[number]>('sandpiper.theme', 'system');

  watchEffect(() => {
    if (theme.value === 'light' || theme.value === 'dark') document.documentElement.dataset['theme'] = theme.value;
    else delete document.documentElement.dataset['theme'];
  });

  function next(): void {
    theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
  }

  return { theme, next };
});
