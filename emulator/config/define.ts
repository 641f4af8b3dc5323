import type { WorldDeclaration } from '../declared-world/schema.ts';
import type { Config } from './options.ts';

/** Returns the config as it is; an editor then knows its options. */
export function defineConfig(config: Config): Config {
  return config;
}

/** Returns the world as it is; an editor then knows what it may declare. */
export function defineWorld(world: WorldDeclaration): WorldDeclaration {
  return world;
}
