import { options } from '../emulator/config/options.ts';
import { ofEachChoice, type Choices } from '../emulator/http/choices.ts';
import { defaultDataDir, defaultOptions, type EmulatorOptions } from '../emulator/options.ts';
import { list, oneOf, orNull, record, text, whole, type Shape } from './shape.ts';

/** The options that the command line passes to the window. */
export type StartOptions = Omit<
  EmulatorOptions,
  'checkReplies' | 'keepsAlive' | 'workerUrl' | 'uiDir' | 'editorFolder' | 'onNotice' | 'world'
> & {
  readonly world: string | null;
};

const port = whole(0, 65_535);
const isStartOptions = record<StartOptions>({
  port,
  inspectorPort: port,
  host: text(253),
  publicUrl: orNull(text(4_096)),
  publicInspectorUrl: orNull(text(4_096)),
  dataDir: orNull(text(4_096)),
  seed: orNull(text(4_096)),
  world: orNull(text(4_096)),
  pace: oneOf(...options.pace.schema.enum),
  rateLimits: oneOf(...options.rateLimits.schema.enum),
  choices: record(
    ofEachChoice<{ readonly [Name in keyof Choices]: Shape<Choices[Name]> }>((_name, words) => oneOf(...words)),
  ),
  record: record({ exchanges: whole(1, 1e9), bytes: whole(1, Number.MAX_SAFE_INTEGER), days: whole(1, 1e9) }),
  token: orNull(text(4_096)),
  allowHosts: list(text(253), 1_000),
});

/**
 * The options that `sandpiper open` left in SANDPIPER_OPTIONS; the defaults if the app was started directly. They
 * contain the token, so the variable is removed from the environment.
 * @throws Error if the variable contains anything else
 */
export function takeStartOptions(env: NodeJS.ProcessEnv): StartOptions {
  const given = env['SANDPIPER_OPTIONS'];
  delete env['SANDPIPER_OPTIONS'];
  if (given === undefined) return { ...defaultOptions, dataDir: defaultDataDir() };
  const passed = parse(given);
  if (isStartOptions(passed)) return passed;
  throw new Error('SANDPIPER_OPTIONS is not valid. Use "sandpiper open", which sets it.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
