import { resolve } from 'node:path';
import type { OptionName, options, OptionValues } from '../config/options.ts';
import { ofEachChoice, type Choices } from '../http/choices.ts';
import { defaultDataDir, type EmulatorOptions } from '../options.ts';
import { UsageError } from './usage.ts';

/** The names of the options that always have a value, because they have a default. */
type WithDefault = {
  readonly [Name in OptionName]: (typeof options)[Name] extends { readonly default: unknown } ? Name : never;
}[OptionName];

/** The options of `sandpiper serve`, as its help names them. */
export type ServeOptions = OptionValues & Required<Pick<OptionValues, WithDefault>> & { readonly json?: boolean };

/** The options of an emulator that the command line chooses: plain values, so that another process can receive them. */
export type ChosenOptions = Omit<
  EmulatorOptions,
  'checkReplies' | 'keepsAlive' | 'workerUrl' | 'uiDir' | 'editorFolder' | 'onNotice'
>;

/** The options that every emulator takes, whether it keeps running or ends with a command. */
export type WorldOptions = Pick<
  ServeOptions,
  | 'seed'
  | 'world'
  | 'pace'
  | 'rateLimits'
  | keyof Choices
  | 'recordRequests'
  | 'recordMegabytes'
  | 'recordDays'
  | 'allowHost'
>;

/** @throws UserError if two options contradict one another */
export function toChosenOptions(options: ServeOptions): ChosenOptions {
  if (options.memory && options.data !== undefined)
    throw new UsageError('--memory keeps nothing on disk, so it takes no --data. Leave one of the two out.');
  if (options.watch && options.world === undefined)
    throw new UsageError('--watch looks at a world file. Name one with --world, or leave --watch out.');
  return {
    port: options.port,
    inspectorPort: options.inspectorPort,
    host: options.host,
    publicUrl: options.publicUrl ?? null,
    publicInspectorUrl: options.publicInspectorUrl ?? null,
    dataDir: options.memory ? null : resolve(options.data ?? defaultDataDir()),
    ...toWorldOptions(options),
    token: options.token ?? null,
  };
}

/** The data, the behaviour and the limits of an emulator. */
export function toWorldOptions(
  options: WorldOptions,
): Pick<EmulatorOptions, 'seed' | 'world' | 'pace' | 'rateLimits' | 'choices' | 'record' | 'allowHosts'> {
  return {
    seed: options.seed === undefined ? null : resolve(options.seed),
    world: options.world === undefined ? null : resolve(options.world),
    pace: options.pace,
    rateLimits: options.rateLimits,
    choices: ofEachChoice<Choices>((name) => options[name]),
    record: {
      exchanges: options.recordRequests,
      bytes: options.recordMegabytes * 1024 * 1024,
      days: options.recordDays,
    },
    allowHosts: options.allowHost ?? [],
  };
}
