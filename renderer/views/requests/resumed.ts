import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import type { Draft } from '../../http-text/apply-fix.ts';

/** Edits that Undo brings back. Their request may not be shown yet. */
export const useResumed = defineStore('resumed', () => {
  const router = useRouter();
  const waiting = shallowRef<{ readonly id: string; readonly draft: Draft } | null>(null);

  return {
    waiting,
    /** Opens the request, and its editor with the edits. */
    resume(id: string, draft: Draft): void {
      waiting.value = { id, draft };
      const { name, query } = router.currentRoute.value;
      const { with: _compared, ...kept } = name === 'requests' ? query : {};
      void router.push({ name: 'requests', params: { id }, query: kept });
    },
  };
});
