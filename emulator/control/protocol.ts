/** The control API's shapes, as the inspector, the test library and the command line see them. Types only. */

export interface PlaceView {
  readonly in: 'body' | 'form' | 'query' | 'header' | 'path' | 'method';
  readonly at: string;
}

export type EditView =
  | { readonly op: 'set'; readonly place: PlaceView; readonly value: unknown }
  | { readonly op: 'remove'; readonly place: PlaceView }
  | { readonly op: 'replace-body'; readonly text: string };

/** Why a request was refused: the rule and its section, the place and value in the input, the smallest fix. */
export interface RefusalView {
  readonly rule: string;
  readonly section: string;
  readonly provenance: 'documented' | 'observed' | 'assumed';
  readonly says: string;
  readonly message: string;
  readonly place: PlaceView;
  readonly value: unknown;
  readonly fix: { readonly say: string; readonly edits: readonly EditView[] };
}

/** One line of the list of requests. Times are ISO 8601; `at` is virtual, `wallAt` real. */
export interface RequestSummary {
  readonly id: string;
  readonly sequence: number;
  readonly at: string;
  readonly wallAt: string;
  readonly method: string;
  readonly url: string;
  readonly operation: string | null;
  readonly companyId: string | null;
  readonly credentialId: string | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly requestBytes: number;
  readonly rule: string | null;
  readonly failure: string | null;
}

/** Bytes: as text where they are UTF-8, else in base64. `bytes` counts all that came, also those not kept. */
export interface BytesView {
  readonly encoding: 'utf8' | 'base64';
  readonly data: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface ChangeView {
  readonly kind: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One recorded request, whole. Credentials in headers are masked unless asked for with `?reveal=true`. */
export interface RequestView extends RequestSummary {
  readonly httpVersion: string;
  readonly remoteAddress: string;
  readonly refusal: RefusalView | null;
  readonly notes: readonly string[];
  readonly changes: readonly ChangeView[];
  readonly request: { readonly headers: readonly (readonly [string, string])[]; readonly body: BytesView | null };
  readonly response: { readonly headers: { readonly [name: string]: string }; readonly body: BytesView | null };
}

/** A recorded, stored thing. `kind` is the collection's name in kebab-case: `privacy-requests`. */
export interface RecordView {
  readonly record: { readonly id: string };
  readonly state: string | null;
  readonly moves: readonly { readonly event: string; readonly open: boolean; readonly why: string }[];
  readonly history: readonly unknown[];
}

/** What the stream sends, one SSE message a batch; the id of the message is the last `sequence` in it. */
export type StreamMessage =
  | { readonly type: 'requests'; readonly requests: readonly RequestSummary[] }
  | { readonly type: 'records'; readonly changes: readonly { readonly kind: string; readonly id: string }[] }
  | {
      readonly type: 'progress';
      readonly kind: string;
      readonly id: string;
      readonly done: number;
      readonly of: number;
    }
  | { readonly type: 'gap'; readonly skipped: number }
  | { readonly type: 'reset' }
  | { readonly type: 'notice'; readonly level: string; readonly text: string };
