/** Every option of a start, defined once for the command line, the environment, the config file and its JSON Schema. */
import { described, list, object, oneOf, text, type View } from '../contract/shape.ts';
import { choices, defaultChoices, type Choices } from '../http/choices.ts';

/** A port; 0 means any free one. */
const port = { type: 'integer', minimum: 0, maximum: 65_535 } as const;
/** A whole number from 1 on. */
export const positive = { type: 'integer', minimum: 1, maximum: 999_999_999 } as const;
const flag = { type: 'boolean' } as const;
const filled = { type: 'string', minLength: 1 } as const;
const path = filled;

/** The options in the order of the help. */
export const options = {
  port: {
    only: 'server',
    says: 'port of the emulated API; 0 takes any free one',
    schema: port,
    takes: 'number',
    default: 4747,
  },
  inspectorPort: {
    only: 'server',
    says: 'port of the inspector and the control API; 0 takes any free one',
    schema: port,
    takes: 'number',
    default: 4748,
  },
  host: {
    only: 'server',
    says: 'address to listen on; 127.0.0.1 or ::1 means both',
    schema: text,
    takes: 'address',
    default: '127.0.0.1',
  },
  data: {
    only: 'server',
    says: 'folder for the state; without it a folder of your user',
    schema: path,
    takes: 'folder',
    isPath: true,
  },
  publicUrl: {
    only: 'server',
    says: 'address of the API from outside, if a mapped port or a proxy leads to it: links contain it, and requests may be sent to it',
    schema: text,
    takes: 'address',
  },
  publicInspectorUrl: {
    only: 'server',
    says: 'address of the inspector from outside, such as http://localhost:8081',
    schema: text,
    takes: 'address',
  },
  memory: { only: 'server', says: 'keep nothing on disk', schema: flag },
  seed: {
    says: 'an exported snapshot to start from instead of the demo data, if nothing is stored yet',
    schema: path,
    takes: 'file',
    isPath: true,
  },
  world: {
    says: 'a world file to start from instead of the demo data, if nothing is stored yet; a reset goes back to it',
    schema: path,
    takes: 'file',
    isPath: true,
  },
  watch: { only: 'server', says: 'reset to the world file whenever it changes', schema: flag },
  pace: {
    says: 'how uploads, offers and privacy requests move on',
    schema: oneOf('instant', 'realistic', 'manual'),
    takes: 'pace',
    default: 'realistic',
    execDefault: 'instant',
  },
  rateLimits: {
    says: 'whether requests over the platform’s rate limits are refused',
    schema: oneOf('real', 'off'),
    takes: 'mode',
    default: 'off',
  },
  unknownFields: {
    says: 'whether fields that no operation names, and names that an object has twice, are accepted with a note or refused',
    schema: oneOf(...choices.unknownFields),
    takes: 'mode',
    default: defaultChoices.unknownFields,
  },
  unknownUnsubscribe: {
    says: 'whether an unsubscription of an unknown person is refused with 404 or accepted',
    schema: oneOf(...choices.unknownUnsubscribe),
    takes: 'mode',
    default: defaultChoices.unknownUnsubscribe,
  },
  answers: {
    says: 'whether errors explain themselves, or are as they were observed on the live host',
    schema: oneOf(...choices.answers),
    takes: 'mode',
    default: defaultChoices.answers,
  },
  recordRequests: {
    says: 'how many of the newest requests are kept',
    schema: positive,
    takes: 'number',
    default: 20_000,
  },
  recordMegabytes: {
    says: 'how many megabytes the kept requests may take',
    schema: positive,
    takes: 'number',
    default: 64,
  },
  recordDays: {
    says: 'how many days requests are kept in the data folder',
    schema: positive,
    takes: 'number',
    default: 30,
  },
  allowHost: {
    says: 'further host names under which the servers may be addressed, with commas between them; may be repeated',
    schema: list(text),
    takes: 'names',
  },
  token: {
    only: 'server',
    says: 'token of the control API; without it one is made for the data folder',
    schema: filled,
    takes: 'token',
  },
  productionHost: {
    only: 'exec',
    says: 'with --as-production: further hosts that mean the platform, with commas between them; may be repeated',
    schema: list(text),
    takes: 'names',
  },
  offline: {
    only: 'exec',
    says: 'with --as-production: block connections to any other host outside this machine',
    schema: flag,
  },
  quiet: { only: 'exec', says: 'with --as-production: print only the connections that were blocked', schema: flag },
} as const satisfies { readonly [name: string]: StartOption } & { readonly [Name in keyof Choices]: StartOption };

/** An option of a start. */
export interface StartOption {
  readonly says: string;
  /** The schema of its value in a config file. */
  readonly schema: {
    readonly type: 'integer' | 'string' | 'boolean' | 'array';
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
  /** What the command line shows instead of the value; left out for a switch. */
  readonly takes?: string;
  readonly default?: string | number;
  /** The default for `exec`, where nothing should wait. */
  readonly execDefault?: string | number;
  /** Whether the value is a path, which in a config file is relative to the folder of that file. */
  readonly isPath?: boolean;
  /**
   * The commands that take it: those that start a lasting server, or `exec`, whose server is in memory and on free
   * ports. Default: both.
   */
  readonly only?: 'server' | 'exec';
}

export type OptionName = keyof typeof options;

/** The value of each option that is set. */
export type OptionValues = { readonly [Name in OptionName]?: View<(typeof options)[Name]['schema']> };

/**
 * The contents of a config file; `sandpiper help serve` or `sandpiper help exec` describes each option. Undefined
 * counts as not set.
 */
export type Config = { readonly [Name in OptionName]?: OptionValues[Name] | undefined };

/** The options as a list, each with its name. */
export const optionList = Object.entries(options) as readonly (readonly [OptionName, StartOption])[];

/** `inspectorPort` → `--inspector-port`. */
export function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `inspectorPort` → `SANDPIPER_INSPECTOR_PORT`. */
export function toVariable(name: string): string {
  return `SANDPIPER_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The JSON Schema of config files. */
export const configSchema = object(
  {},
  {
    $schema: described('The address at which an editor finds this schema.', text),
    ...Object.fromEntries(
      optionList.map(([name, { says, schema, default: value }]) => [
        name,
        {
          ...schema,
          description: `${says} (${toFlag(name)}, ${toVariable(name)})`,
          ...(value === undefined ? {} : { default: value }),
        },
      ]),
    ),
  },
);
