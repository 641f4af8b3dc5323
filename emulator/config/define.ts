import type { Config } from './options.ts';

/** Returns the config as it is; an editor then knows its options. */
export function defineConfig(config: Config): Config {
  return config;
}
