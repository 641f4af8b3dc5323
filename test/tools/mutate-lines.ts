import { compareMutated } from '../catalog/mutated-lines.ts';
import { readCountAndSeed } from './counts.ts';

const { count, seed } = readCountAndSeed(
  'mutate',
  'Compares the acceptor of catalog lines with the full check, on changed lines.',
  1_000_000,
);
const { wrong, accepted, goodShare } = compareMutated(count, seed);
console.log(
  `seed ${seed}: ${count} changed lines, ${accepted} taken, which are ${(goodShare * 100).toFixed(1)} % of the good ones; taken wrongly: ${wrong.length}`,
);
for (const line of wrong.slice(0, 20)) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
