/** `sandpiper/config`: types for `sandpiper.config.ts`. */
export { defineConfig } from './config/define.ts';
export type { Config } from './config/options.ts';
