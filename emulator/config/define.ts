import type { WorldDeclaration } from '../declared-world/schema.ts';
import type { Config } from './options.ts';

/** Returns the config unchanged; its type tells an editor the options. */
export function defineConfig(config: Config): Config {
  return config;
}

/** Returns the world unchanged; its type tells an editor what it may declare. */
export function defineWorld(world: WorldDeclaration): WorldDeclaration {
  return world;
}
