import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { lifecycleKinds } from '../lifecycles.ts';
import type { MachinesView } from './protocol.ts';
import { toKind } from './views.ts';

/** The states that records can be in, and every row by which they move: what the inspector draws. */
export function createMachineRoutes(): readonly Endpoint[] {
  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/machines',
      summary: 'The states of each kind of record that has some, and the moves between them',
      replies: { 200: { type: 'object' } },
      handle() {
        const machines = Object.entries(lifecycleKinds).map(
          ([
            name,
            {
              table: { initial, states, rows },
            },
          ]) => ({
            kind: toKind(name),
            initial,
            states,
            rows: rows.map(({ from, event, to, by, after, why, source }) => ({
              from,
              event,
              to,
              by,
              why,
              section: source.section,
              provenance: source.provenance,
              ...(after === undefined ? {} : { after }),
            })),
          }),
        );
        return { status: 200, body: { machines } satisfies MachinesView };
      },
    }),
  ];
}
