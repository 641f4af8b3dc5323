// As jest-environment-jsdom of jest 29: a page's globals, without those of Node that its tests have no use for.
'use strict';
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} given */
  constructor(...given) {
    super(...given);
    for (const name of ['fetch', 'Request', 'Response', 'TextDecoder', 'TextEncoder', 'structuredClone'])
      delete this.global[name];
    this.global.URL = class extends URL {};
    this.global.URL.canParse = undefined;
  }
};
