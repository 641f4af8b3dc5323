import type { RefusalView } from '../../../emulator/control/calls.ts';
import { call } from './control.ts';

type Provenance = RefusalView['provenance'];

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-provenance'?: Provenance;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation of the API in the document. */
interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-section': string;
  readonly 'x-provenance': Provenance;
  readonly 'x-scope'?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly responses: { readonly [status: string]: unknown };
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly [type: string]: { readonly schema: { readonly $ref: string } } };
  };
}

/** The part of the OpenAPI document of the emulated API that the page reads. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: ApiOperation } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

/** Reads the contract of the emulated API, which never changes while the server runs. */
export async function readApiDocument(): Promise<ApiDocument> {
  // The contract of the control API leaves the content to OpenAPI 3.1.
  return (await call('GET /control/openapi.json')) as unknown as ApiDocument;
}
