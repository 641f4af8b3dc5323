// Run with NODE_OPTIONS=--experimental-vm-modules.
export default {
  rootDir: '..',
  testMatch: ['**/runners/jest.mts'],
  moduleFileExtensions: ['mts', 'ts', 'mjs', 'js', 'cjs', 'json', 'node'],
  extensionsToTreatAsEsm: ['.ts', '.mts'],
  transform: { '\\.m?ts$': './runners/jest-typescript.mjs' },
  testEnvironment: 'node',
  testTimeout: 60_000,
};
