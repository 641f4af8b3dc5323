import { InvalidArgumentError, Option, type Command } from 'commander';
import { choices, defaultChoices } from '../../http/choices.ts';
import { rateLimitModes } from '../../http/rate-limit.ts';
import { paces } from '../../time/pace.ts';

/** Adds a command that starts an emulator. */
export function starting(program: Command, name: string, description: string): Command {
  const command = program.command(name);
  command.createOption = toOption;
  return command
    .description(description)
    .option('--port <number>', 'port of the emulated API; 0 takes any free one', toPort, 4747)
    .option(
      '--inspector-port <number>',
      'port of the inspector and the control API; 0 takes any free one',
      toPort,
      4748,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <folder>', 'folder for the state (default: a folder of your user)')
    .option('--memory', 'keep nothing on disk')
    .option('--seed <file>', 'an exported snapshot for an empty store, instead of the demo data')
    .addOption(
      toOption('--pace <pace>', 'how uploads, offers and privacy requests move on').choices(paces).default('realistic'),
    )
    .addOption(
      toOption('--rate-limits <mode>', 'whether requests over the platform’s rate limits are refused')
        .choices(rateLimitModes)
        .default('off'),
    )
    .addOption(
      toOption('--unknown-fields <mode>', 'fields that no operation names: accepted with a note, or refused')
        .choices(choices.unknownFields)
        .default(defaultChoices.unknownFields),
    )
    .addOption(
      toOption('--unknown-unsubscribe <mode>', 'unsubscribing an unknown person: refused with 404, or accepted')
        .choices(choices.unknownUnsubscribe)
        .default(defaultChoices.unknownUnsubscribe),
    )
    .addOption(
      toOption('--answers <mode>', 'errors with explanations, or as they were observed on the live host')
        .choices(choices.answers)
        .default(defaultChoices.answers),
    )
    .option('--record-requests <number>', 'how many of the newest requests are kept', toWhole, 20_000)
    .option('--record-megabytes <number>', 'how much room they may take', toWhole, 64)
    .option('--record-days <number>', 'how many days they are kept in the data folder', toWhole, 30)
    .option(
      '--allow-host <names>',
      'further host names under which the servers may be addressed, with commas between them; may be repeated',
      (names: string, before: readonly string[] = []) => [...before, ...names.split(',').filter(Boolean)],
    )
    .option('--token <token>', 'the control API’s token (default: one made for the data folder)')
    .option('--json', 'print one line of JSON when both servers accept connections, and nothing else');
}

/** `--inspector-port` can be set as `SANDPIPER_INSPECTOR_PORT`: each option of a start has a variable, for containers. */
function toOption(flags: string, description?: string): Option {
  const option = new Option(flags, description);
  return option.env(`SANDPIPER_${option.name().replaceAll('-', '_').toUpperCase()}`);
}

/** Adds a command that talks to a running emulator. */
export function talking(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--data <folder>', 'the data folder that the emulator serves (default: the one of your user)')
    .addOption(new Option('--url <address>', 'the inspector of the emulator').env('SANDPIPER_INSPECTOR_URL'))
    .addOption(new Option('--token <token>', 'the token of its control API').env('SANDPIPER_TOKEN'))
    .option('--json', 'print JSON, one line each');
}

/** @throws InvalidArgumentError if the text is not a port */
export function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

export function toWhole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1 on.');
  return Number(text);
}
