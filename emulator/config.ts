/** `sandpiper/config`: types for `sandpiper.config.ts` and world files. */
export { defineConfig, defineWorld } from './config/define.ts';
export type { Config } from './config/options.ts';
export type { WorldDeclaration } from './declared-world/schema.ts';
