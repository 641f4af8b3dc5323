import { refAutoReset } from '@vueuse/core';
import { readonly } from 'vue';

const says = refAutoReset('', 1_500);

/** What screen readers announce, of what is otherwise only seen. The frame has it in a live region. */
export const announced = readonly(says);
export const announce = (text: string): void => void (says.value = text);
