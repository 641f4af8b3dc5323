// In code that bin/compiled.cjs compiles, an `import()` makes Node warn of an experimental feature. Node itself loads this file.
'use strict';
module.exports = (/** @type {string} */ id) => import(id);
