import type { Router } from 'vue-router';
import type { RequestView } from '../../../emulator/control/calls.ts';
import { toProblem, useReported, type Reported } from '../../live/reported.ts';
import { stillHere } from '../../live/still-here.ts';
import { readApiDocument } from '../../live/backend/api-document.ts';

/** The ways to use a recorded request elsewhere. */
export interface PassingOn {
  readonly problem: Reported['problem'];
  /** Why its answer cannot become a fault, as a sentence; null if it can. */
  whyNoFault(view: RequestView): string | null;
  /** Sets a fault that answers the next request of the operation like this one. */
  toFault(view: RequestView): Promise<void>;
  /** Opens Try it with the request as it was sent. */
  toTryIt(view: RequestView): Promise<void>;
}

/** @param shown the id of the shown request, which a problem is about */
export function usePassingOn(router: Router, shown: () => string): PassingOn {
  const { change, problem } = useReported(shown);
  return {
    problem,
    whyNoFault({ operation, status }) {
      if (operation === null) return 'It is not an operation of the API, so no fault can be set for it.';
      return status === null || status < 400 ? 'Only an answer from 400 on can be a fault.' : null;
    },
    async toFault({ operation, status, response }) {
      if (operation === null || status === null) return;
      const wait = response.headers['retry-after'];
      const body = { operation, status, ...(wait === undefined ? {} : { retryAfter: Number(wait) }) };
      await change(`The next ${operation} is answered with ${status}`, 'POST /control/faults', { body });
    },
    async toTryIt({ id, operation }) {
      const [method = '', path = ''] = operation?.split(' ') ?? [];
      const isHere = stillHere(router);
      try {
        const { paths } = await readApiDocument();
        const operationId = paths[path]?.[method.toLowerCase()]?.operationId;
        if (operationId !== undefined && isHere())
          await router.push({ name: 'try', params: { operation: operationId }, query: { from: id } });
      } catch (error) {
        problem.value = toProblem(error);
      }
    },
  };
}
