import { shallowRef, type ShallowRef } from 'vue';
import { readApiDocument } from '../../live/backend/api-document.ts';
import { useReading } from '../../live/reading.ts';

/** An operation of the API and what it asks of its caller. */
export interface Operation {
  /** `POST /subscriptions`. */
  readonly name: string;
  readonly summary: string;
  /** Null if any key will do. */
  readonly scope: string | null;
}

/** The operations that need a key, as the contract has them. It never changes while the server runs. */
export function useOperations(): ShallowRef<readonly Operation[]> {
  const operations = shallowRef<readonly Operation[]>([]);
  useReading({
    read: readApiDocument,
    show({ paths }) {
      operations.value = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { summary, 'x-scope': scope, security }]): Operation[] =>
          security?.length === 0 ? [] : [{ name: `${method.toUpperCase()} ${path}`, summary, scope: scope ?? null }],
        ),
      );
    },
  });
  return operations;
}
