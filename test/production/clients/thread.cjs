const { isMainThread, Worker } = require('node:worker_threads');

const thread = isMainThread ? new Worker(__filename) : require('./https.cjs');
module.exports = { thread };
