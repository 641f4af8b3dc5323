import { createGlobalState, useResizeObserver } from '@vueuse/core';
import { readonly, shallowRef } from 'vue';

/** The usual height of a line of the base size, in pixels; must match the probe in base.css. */
const usualLine = 20;

/**
 * The height of a line of text relative to the usual one: 2 for a person who has only the text twice as large. Heights
 * that are counted in pixels follow it.
 */
export const useTextScale = createGlobalState(() => {
  const probe = document.createElement('span');
  probe.className = 'text-probe';
  probe.textContent = 'x';
  document.body.append(probe);
  const measure = (): number => Math.max(1, probe.getBoundingClientRect().height / usualLine);
  const scale = shallowRef(measure());
  useResizeObserver(probe, () => void (scale.value = measure()));
  return readonly(scale);
});
