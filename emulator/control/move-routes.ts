import { UserError } from '../errors.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { IllegalMove, type Move } from '../machine/table.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { inBody, toRefusal } from '../rules.ts';
import { badRequest, conflict, notFound } from './problems.ts';
import type { IllegalMoveView } from './protocol.ts';
import { controlRules } from './rules.ts';
import { toKind, toRefusalView } from './views.ts';

export interface MoveRouteDeps {
  readonly store: Store;
  movesOf(name: CollectionName, record: StoredRecord): readonly Move[];
  /** Moves a record by hand. Throws IllegalMove, or UserError where what belongs to the move fails. */
  moveRecord(name: CollectionName, id: string, event: string): Promise<void>;
  /** The record as GET /control/records/{kind}/{id} shows it. */
  view(name: CollectionName, record: StoredRecord): { [key: string]: unknown };
}

const anything = { type: 'object' } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** States by hand. */
export function createMoveRoutes({ store, movesOf, moveRecord, view }: MoveRouteDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/records/{kind}/{id}/moves',
      summary: 'Move a record by hand; what is open stands in its own view',
      params: {
        type: 'object',
        required: ['kind', 'id'],
        properties: { kind: { type: 'string', examples: ['privacy-requests'] }, id: { type: 'string' } },
      },
      body: { type: 'object', required: ['event'], properties: { event: { type: 'string', examples: ['start'] } } },
      replies: { 200: anything, 409: anything },
      errors: [400, 404, 409],
      asynchronous: true,
      async handle({ params: { kind, id }, body: { event } }) {
        const name = store.names.find((one) => toKind(one) === kind);
        if (name === undefined) return notFound(`There are no records of kind "${kind}".`);
        const collection = store.collection(name);
        const record = collection.get(id) ?? notFound(`There is no record ${id} of kind "${kind}".`);
        const moves = movesOf(name, record);
        if (moves.length === 0) return badRequest(`Records of kind "${kind}" have no states, so nothing moves them.`);
        if (!moves.some((move) => move.event === event))
          return badRequest(
            `"${event}" is no event of ${kind}; events: ${moves.map((move) => move.event).join(', ')}.`,
          );
        try {
          await moveRecord(name, id, event);
        } catch (error) {
          if (error instanceof IllegalMove) {
            const refusal = toRefusal(controlRules.move, inBody('/event'), event, error);
            return { status: 409, body: { ...toView(error), refusal: toRefusalView(refusal) }, refusal };
          }
          if (error instanceof UserError) return conflict(error.message);
          throw error;
        }
        const moved = collection.get(id) ?? notFound(`The move took the record ${id} of kind "${kind}" away.`);
        return { status: 200, body: view(name, moved) };
      },
    }),
  ];
}

function toView({ message, state, event, open }: IllegalMove): IllegalMoveView {
  return { message, state, event, open };
}
