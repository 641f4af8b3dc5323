// Loads the built command line together with the code that V8 compiled at an earlier start, as Python does with .pyc
// files: docs/decisions/0020-compiled-code.md.
'use strict';
const { createHash } = require('node:crypto');
const { existsSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script, constants } = require('node:vm');

const head = '(function (exports, require, module, __filename, __dirname) {';
const digestLength = 32;

/**
 * A loader of the CommonJS files of one folder.
 * @param {string} folder absolute
 */
function createLoader(folder) {
  const requireElsewhere = createRequire(join(folder, 'any.cjs'));
  /** File → its module. @type {Map<string, { exports: any }>} */
  const modules = new Map();
  /** The files that were compiled without kept code. @type {{ path: string, source: Buffer, script: Script }[]} */
  const fresh = [];

  const require = Object.assign(
    (/** @type {string} */ id) => (id.startsWith('./') ? load(id.slice(2)) : requireElsewhere(id)),
    requireElsewhere,
  );

  /**
   * Runs a file at the first call, with the files that it requires from the same folder.
   * @param {string} name such as `cli.cjs`
   * @returns the exports of the file
   */
  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const path = join(folder, name);
    compile(path).runInThisContext().call(module.exports, module.exports, require, module, path, folder);
    return module.exports;
  }

  /** @param {string} path */
  function compile(path) {
    const source = readFileSync(path);
    const script = new Script(`${head}${source}\n})`, {
      filename: path,
      columnOffset: -head.length,
      cachedData: readCompiled(path, source),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    // Undefined if no code was kept; true if V8 runs with other flags.
    if (script.cachedDataRejected !== false) fresh.push({ path, source, script });
    return script;
  }

  /**
   * Keeps the code that V8 has compiled until now, unless it was kept before. If nothing can be written, nothing is
   * kept.
   */
  function keep() {
    for (const { path, source, script } of fresh.splice(0)) {
      const code = script.createCachedData();
      const aside = `${path}.${process.pid}`;
      try {
        writeFileSync(aside, Buffer.concat([digest(source, code), code]));
        renameSync(aside, toKept(path));
      } catch {
        // Yarn's Plug'n'Play refuses to remove a file of a package, even one that does not exist.
        if (existsSync(aside)) rmSync(aside, { force: true });
        return;
      }
    }
  }

  return { load, keep };
}

/**
 * The path of a file's compiled code. It is next to the file: anyone who can change one can change the other anyway.
 */
const toKept = (/** @type {string} */ path) => `${path}.compiled`;

/**
 * The compiled code of a file, if it is there, made from this source by this Node, and undamaged. V8 itself compares
 * only the length of the source, and reads damaged code as it is.
 * @param {string} path
 * @param {Buffer} source
 */
function readCompiled(path, source) {
  try {
    const kept = readFileSync(toKept(path));
    const code = kept.subarray(digestLength);
    return digest(source, code).equals(kept.subarray(0, digestLength)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Buffer} source
 * @param {Buffer} code
 */
function digest(source, code) {
  return createHash('sha256').update(`${process.version} ${process.arch}\n`).update(source).update(code).digest();
}

module.exports = { createLoader };
