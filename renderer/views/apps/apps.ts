import { computed, type ComputedRef } from 'vue';
import { readApiDocument } from '../../live/backend/api-document.ts';
import { useReading } from '../../live/reading.ts';

/** An operation of the API, and the scope that it needs. */
export interface Operation {
  /** `POST /subscriptions`. */
  readonly name: string;
  readonly summary: string;
  /** Null if any key works. */
  readonly scope: string | null;
}

/** The operations of the contract that need a key. The contract never changes while the server runs. */
export function useOperations(): ComputedRef<readonly Operation[]> {
  const { answer } = useReading({ read: readApiDocument, concerns: null });
  return computed(() =>
    Object.entries(answer.value?.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { summary, 'x-scope': scope, security }]): Operation[] =>
        security?.length === 0 ? [] : [{ name: `${method.toUpperCase()} ${path}`, summary, scope: scope ?? null }],
      ),
    ),
  );
}
