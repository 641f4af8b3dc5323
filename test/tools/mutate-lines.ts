/* npm run mutate [count] [seed]: compares the acceptor of catalog lines with the full check on changed lines. */
import { compareMutated } from '../catalog/mutated-lines.ts';

const [count = 1_000_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const { wrong, accepted, goodShare } = compareMutated(count, seed);
console.log(
  `seed ${seed}: ${count} changed lines, ${accepted} taken, which are ${(goodShare * 100).toFixed(1)} % of the good ones; taken wrongly: ${wrong.length}`,
);
for (const line of wrong.slice(0, 20)) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
