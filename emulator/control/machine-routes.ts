import { deliveryTable } from '../delivery/table.ts';
import { uploadTable } from '../features/catalog/states.ts';
import { offerTable } from '../features/offers/states.ts';
import { privacyTable } from '../features/privacy/states.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Row } from '../machine/table.ts';
import type { MachinesView } from './protocol.ts';

/** What of a table can be told without a record. */
interface ToldTable {
  readonly initial: string;
  readonly states: readonly string[];
  readonly rows: readonly Pick<
    Row<string, string, never>,
    'from' | 'event' | 'to' | 'by' | 'after' | 'why' | 'source'
  >[];
}

const tables: { readonly [kind: string]: ToldTable } = {
  uploads: uploadTable,
  'privacy-requests': privacyTable,
  offers: offerTable,
  deliveries: deliveryTable,
};

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
        const machines = Object.entries(tables).map(([kind, { initial, states, rows }]) => ({
          kind,
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
        }));
        return { status: 200, body: { machines } satisfies MachinesView };
      },
    }),
  ];
}
