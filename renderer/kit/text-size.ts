import { createGlobalState, useResizeObserver } from '@vueuse/core';
import { readonly, shallowRef } from 'vue';

/** Of a line of the base size at its usual size, in pixels: that of the probe in base.css. */
const usualLine = 20;

/**
 * How many times as high a line of text is as usual: 2 for who has text alone drawn twice as large. Heights that are
 * counted in pixels follow it.
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
