import { defineStore } from 'pinia';
import { watchEffect } from 'vue';
import { isBoolean, isOneOf, useKept } from '../browser-storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const rowHeights = ['dense', 'default', 'roomy'] as const;

/** How the window looks: `system` leaves it to the media queries in tokens.css. Saved in this browser. */
export const useTheme = defineStore('theme', () => {
  const theme = useKept<(typeof themes)[number]>('sandpiper.theme', 'system', isOneOf(themes));
  /** Adds to the contrast that the system asks for. */
  const moreContrast = useKept('sandpiper.contrast', false, isBoolean);
  const rows = useKept<(typeof rowHeights)[number]>('sandpiper.rows', 'default', isOneOf(rowHeights));
  const { dataset } = document.documentElement;

  watchEffect(() => {
    if (theme.value === 'light' || theme.value === 'dark') dataset['theme'] = theme.value;
    else delete dataset['theme'];
  });
  watchEffect(() => {
    if (moreContrast.value) dataset['contrast'] = 'more';
    else delete dataset['contrast'];
  });
  watchEffect(() => {
    if (rows.value === 'default') delete dataset['rows'];
    else dataset['rows'] = rows.value;
  });

  function next(): void {
    theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
  }

  return { theme, moreContrast, rows, next };
});
