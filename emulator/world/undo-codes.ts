/** What an act that can be undone was, for programs: the sentence beside it is for people, and may change. */
export const undoCodes = [
  'app.changed',
  'app.created',
  'app.deleted',
  'app.secret-renewed',
  'attribute.changed',
  'attribute.created',
  'attribute.deleted',
  'clock.advanced',
  'clock.made-real',
  'clock.set',
  'company.changed',
  'company.created',
  'company.deleted',
  'credential.created',
  'credential.revoked',
  'credential.rotated',
  'offer.changed',
  'offer.created',
  'offer.deleted',
  'requests.cleared',
  'sign-up-unit.changed',
  'sign-up-unit.created',
  'sign-up-unit.deleted',
  'webhook.changed',
  'webhook.deleted',
  'webhook.key-rotated',
  'world.imported',
  'world.reset',
  'world.restored',
] as const;

export type UndoCode = (typeof undoCodes)[number];

/** An act to be undone: what a reply names in `x-sandbox-undo` and `x-sandbox-undo-code`. */
export interface UndoRef {
  readonly id: string;
  readonly code: UndoCode;
}

/** An act as it is remembered. */
export interface Done {
  readonly code: UndoCode;
  /** For people, as a sentence. */
  readonly says: string;
}
