/** Records as they are stored, secrets masked, and the states that they move through. */
import { boolean, described, either, integer, list, nullable, object, text } from '../../contract/shape.ts';
import type { Typed, View } from '../../contract/shape.ts';
import type { CollectionName, Collections } from '../../records.ts';
import { definitions } from '../../records/definitions.ts';
import { toKind, type KindOf } from '../../records/kind.ts';
import { move, mover, toMovedShape } from '../../records/parts.ts';
import type { CallTable } from '../call.ts';
import { limit, offset } from './paging.ts';
import { provenance } from './refusals.ts';

export type MoverView = View<typeof mover>;

export const moves = list(move);

type Records = { readonly [Name in CollectionName as KindOf<Name>]: Collections[Name] };
export type Kind = keyof Records;
/** A record of a kind, as it is stored. */
export type RecordOf<K extends Kind> = Records[K];
/** A kind whose records have states. */
export type StatefulKind = {
  readonly [K in Kind]: RecordOf<K> extends { readonly state: string } ? K : never;
}[Kind];

const ofPage = object({ total: integer });
export type PageFacts = View<typeof ofPage>;
/** A page of the records of a kind. */
export type RecordsView<K extends Kind = Kind> = {
  readonly [One in Kind]: PageFacts & { readonly kind: One; readonly records: readonly Records[One][] };
}[K];

const ofOne = object({
  state: described('The state of the record; null if records of the kind have no states.', nullable(text)),
  moves: described('The moves of the record: those that its state allows, and why not the others.', moves),
  history: described('The moves so far, oldest first.', list(toMovedShape(text))),
});
export type RecordFacts = View<typeof ofOne>;
/** A record of a kind with its state, the moves and the history. */
export type RecordView<K extends Kind = Kind> = {
  readonly [One in Kind]: RecordFacts & { readonly kind: One; readonly record: Records[One] };
}[K];

/** Returns the alternatives of a reply: one for each kind of record, made from the kind's name and shape. */
function ofEachKind(toReply: (kind: object, shape: object) => object): object {
  return either(...Object.entries(definitions).map(([name, { schema }]) => toReply({ const: toKind(name) }, schema)));
}

const page = ofEachKind((kind, shape) => object({ kind, ...ofPage.properties, records: list(shape) }));
const one = ofEachKind((kind, shape) => object({ kind, record: shape, ...ofOne.properties }));

export type AppRecord = RecordOf<'apps'>;
export type AuthorizationCodeRecord = RecordOf<'authorization-codes'>;
export type CompanyRecord = RecordOf<'companies'>;
export type CredentialRecord = RecordOf<'credentials'>;
export type OfferRecord = RecordOf<'offers'>;
export type OfferUploadRecord = RecordOf<'offer-uploads'>;
export type PrivacyRequestRecord = RecordOf<'privacy-requests'>;
export type UploadRecord = RecordOf<'uploads'>;

const machine = object({
  kind: described('The kind, as in GET /control/records/{kind}.', text),
  initial: text,
  states: list(text),
  rows: list(
    object(
      { from: text, event: text, to: text, by: list(mover), why: text, section: text, provenance },
      { after: described('The name of the delay after which the clock makes the move.', text) },
    ),
  ),
});
/** The states of a kind of record and the moves between them. */
export type MachineView = View<typeof machine>;
const machines = object({ machines: list(machine) });
export type MachinesView = View<typeof machines>;

const kind = object({
  kind: described('The kind, as in GET /control/records/{kind}.', text),
  one: described('The word for one record, for people.', text),
  many: text,
  shownAt: described('The inspector’s address of a record, with `{id}` in it; null if it has none.', nullable(text)),
  aboutPeople: described('Whether records of the kind may be about a person.', boolean),
  open: described('The states of records that are not finished; empty if the kind has no states.', list(text)),
});
/** The names of a kind of record, and how it is shown. */
export type RecordKindView = View<typeof kind>;
/** The parameter for a kind in the path of a call. */
export const ofKind = { kind: { type: 'string', examples: ['privacy-requests'] } } as const;

export const recordCalls = {
  'GET /control/records/{kind}': {
    summary: 'The records of a kind',
    asOf: 'moment',
    params: ofKind,
    query: object(
      {},
      {
        offset,
        limit,
        last: described(
          'The number of newest records to return, instead of offset and limit; also oldest first.',
          limit,
        ),
        companyId: text,
        search: described(
          'Only records that the search of their company finds by this text; refused for kinds that the search never finds.',
          {
            type: 'string',
            maxLength: 500,
            examples: ['20% off'],
          },
        ),
      },
    ),
    reply: page as Typed<RecordsView>,
  },
  'GET /control/records/{kind}/{id}': {
    summary: 'One record, its state, the moves that are open, and its history',
    asOf: 'moment',
    params: ofKind,
    reply: one as Typed<RecordView>,
  },
  'POST /control/records/{kind}/{id}/moves': {
    summary: 'Move a record by hand; GET /control/records/{kind}/{id} lists the open moves',
    changes: true,
    params: ofKind,
    body: object({ event: { type: 'string', examples: ['start'] } }),
    reply: one as Typed<RecordView>,
  },
  'GET /control/record-kinds': {
    summary: 'The kinds of records, with their names and their addresses in the inspector',
    asOf: 'now',
    reply: object({ kinds: list(kind) }),
  },
  'GET /control/machines': {
    summary: 'The states of each kind of record that has states, and the moves between them',
    asOf: 'now',
    reply: machines,
  },
} as const satisfies CallTable;
