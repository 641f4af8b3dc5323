import { Argument, Command, InvalidArgumentError } from 'commander';

/** Reads the number of an option or an argument, a whole number from 1. */
export function toCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(text);
}

/** Reads `[count] [seed]` of a command that tries random input. The same seed makes the same input again. */
export function readCountAndSeed(name: string, says: string, usual: number): { count: number; seed: number } {
  const [count, seed] = new Command(`npm run ${name} --`)
    .description(says)
    .argument('[count]', 'how many', toCount, usual)
    .addArgument(
      new Argument('[seed]', 'of an earlier run, which printed it')
        .argParser(toCount)
        .default((Date.now() % 1_000_000) + 1, 'a new one'),
    )
    .parse().processedArgs as [number, number];
  return { count, seed };
}
