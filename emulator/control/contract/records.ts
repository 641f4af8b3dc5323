/** Records as they are stored, secrets masked, and the states that they move through. */
import {
  boolean,
  described,
  integer,
  list,
  nullable,
  object,
  either,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { mover, recordShapes, toMovedShape } from '../../record-shapes.ts';
import type { CallTable } from '../call.ts';
import { provenance } from './refusals.ts';

const moved = toMovedShape(text);
export type MoverView = View<typeof mover>;

const source = object({ provenance, section: text });

export const moves = list(
  object({
    event: text,
    to: text,
    open: described('Whether a hand may do it now; `why` says what it means, or why it may not.', boolean),
    why: text,
    by: list(mover),
    dueAt: described('When the clock does it; null where it does not.', nullable(time)),
    source,
  }),
);

/** A kind of record, with the answers that show it: a page of them, and one with its states. */
function kindOf<const Kind extends string, const Shape extends object>(kind: Kind, shape: Shape) {
  const named = { kind: { const: kind } } as const;
  return {
    page: object({ ...named, total: integer, records: list(shape) }),
    one: object({
      ...named,
      record: shape,
      state: described('Null where records of the kind have no states.', nullable(text)),
      moves: described('What its state allows, and why not the others.', moves),
      history: described('Oldest first.', list(moved)),
    }),
  } as const;
}

/** By the name of the kind in paths and in the stream: that of the collection in kebab-case. */
const kinds = [
  kindOf('companies', recordShapes.companies),
  kindOf('apps', recordShapes.apps),
  kindOf('credentials', recordShapes.credentials),
  kindOf('authorization-codes', recordShapes.authorizationCodes),
  kindOf('users', recordShapes.users),
  kindOf('subscriptions', recordShapes.subscriptions),
  kindOf('sign-up-units', recordShapes.signUpUnits),
  kindOf('attribute-definitions', recordShapes.attributeDefinitions),
  kindOf('attribute-values', recordShapes.attributeValues),
  kindOf('events', recordShapes.events),
  kindOf('offers', recordShapes.offers),
  kindOf('offer-uploads', recordShapes.offerUploads),
  kindOf('uploads', recordShapes.uploads),
  kindOf('privacy-requests', recordShapes.privacyRequests),
  kindOf('webhooks', recordShapes.webhooks),
  kindOf('deliveries', recordShapes.deliveries),
  kindOf('platform-notices', recordShapes.platformNotices),
  kindOf('messages', recordShapes.messages),
  kindOf('short-links', recordShapes.shortLinks),
  kindOf('settings', recordShapes.settings),
] as const;

type Part<Kinds extends readonly { readonly [part in Name]: unknown }[], Name extends 'page' | 'one'> = {
  readonly [At in keyof Kinds]: Kinds[At][Name];
};

const page = either(...(kinds.map((kind) => kind.page) as unknown as Part<typeof kinds, 'page'>));
const one = either(...(kinds.map((kind) => kind.one) as unknown as Part<typeof kinds, 'one'>));

/** A page of the records of a kind. */
export type RecordsView = View<typeof page>;
export type Kind = RecordsView['kind'];
/** A record of a kind, as it is stored. */
export type RecordOf<K extends Kind> = Extract<RecordsView, { readonly kind: K }>['records'][number];
export type AnyRecordView = View<typeof one>;
/** A record of a kind with its state, the moves and the history. */
export type RecordView<K extends Kind = Kind> = Extract<AnyRecordView, { readonly kind: K }>;

export type AppRecord = RecordOf<'apps'>;
export type AuthorizationCodeRecord = RecordOf<'authorization-codes'>;
export type CompanyRecord = RecordOf<'companies'>;
export type CredentialRecord = RecordOf<'credentials'>;
export type OfferRecord = RecordOf<'offers'>;
export type OfferUploadRecord = RecordOf<'offer-uploads'>;
export type PrivacyRequestRecord = RecordOf<'privacy-requests'>;
export type UploadRecord = RecordOf<'uploads'>;

const machine = object({
  kind: described('As in GET /control/records/{kind}.', text),
  initial: text,
  states: list(text),
  rows: list(
    object(
      { from: text, event: text, to: text, by: list(mover), why: text, section: text, provenance },
      { after: described('The name of the delay after which the clock does it.', text) },
    ),
  ),
});
/** The states of a kind of record and the moves between them. */
export type MachineView = View<typeof machine>;
const machines = object({ machines: list(machine) });
export type MachinesView = View<typeof machines>;

const params = { kind: { type: 'string', examples: ['privacy-requests'] } } as const;

export const recordCalls = {
  'GET /control/records/{kind}': {
    summary: 'The records of a kind',
    params,
    query: object(
      {},
      {
        offset: { type: 'string', pattern: '^[0-9]{1,9}$' },
        limit: { type: 'string', pattern: '^[0-9]{1,5}$' },
        companyId: text,
      },
    ),
    reply: page,
  },
  'GET /control/records/{kind}/{id}': {
    summary: 'One record, its state, the moves that are open, and its history',
    params,
    reply: one,
  },
  'POST /control/records/{kind}/{id}/moves': {
    summary: 'Move a record by hand; what is open is in its own view',
    changes: true,
    params,
    body: object({ event: { type: 'string', examples: ['start'] } }),
    reply: one,
  },
  'GET /control/machines': {
    summary: 'The states of each kind of record that has some, and the moves between them',
    reply: machines,
  },
} as const satisfies CallTable;
