#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { rateLimitModes } from './http/rate-limit.ts';
import { serve } from './serve.ts';
import { paces } from './settings.ts';
import { UserError } from './errors.ts';

// The build puts the worker beside this file; from source it stands with its feature (architecture.md, trap 2).
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.js', import.meta.url);

const program = new Command('sandpiper')
  .description('A whole customer-messaging platform on your own machine: the REST and GraphQL API on localhost.')
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'sandpiper: ')) });

program
  .command('serve')
  .description('start the emulated API and the control API')
  .option('--port <number>', 'port of the emulated API; 0 takes any free one', toPort, 4747)
  .option('--inspector-port <number>', 'port of the inspector and the control API; 0 takes any free one', toPort, 4748)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--data <folder>', 'where the state is kept (default: a folder of your user)')
  .option('--memory', 'keep nothing on disk')
  .addOption(
    new Option('--pace <pace>', 'how uploads, offers and privacy requests move on').choices(paces).default('realistic'),
  )
  .addOption(
    new Option('--rate-limits <mode>', 'whether requests over the platform’s rate limits are refused')
      .choices(rateLimitModes)
      .default('off'),
  )
  .option('--allow-host <name...>', 'further host names under which the servers may be addressed')
  .addOption(new Option('--token <token>', 'the control API’s token (default: a random one)').env('SANDPIPER_TOKEN'))
  .option('--json', 'print one line of JSON when both servers accept connections, and nothing else')
  .action((options: Parameters<typeof serve>[0]) => serve(options, { workerUrl }));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof UserError) && (error as { name?: string }).name !== 'StoreError') throw error;
  process.stderr.write(`sandpiper: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}
