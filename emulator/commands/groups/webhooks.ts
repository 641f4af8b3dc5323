import { Option, type Command } from 'commander';
import { deliveryState, reach } from '../../records/deliveries.ts';
import type { ConnectOptions } from '../connect.ts';
import type { TriggerOptions } from '../trigger.ts';
import type { DeliveriesOptions, GymOptions, ReceiverOptions } from '../webhooks.ts';
import { listing, repeated, repeatedNames, talking, toFilled } from './options.ts';

/** Commands for webhooks and their deliveries. */
export function addWebhookCommands(program: Command): void {
  program.commandsGroup('Webhooks:');
  talking(program, 'trigger', 'fire a webhook event as the platform would')
    .usage('[options] <event>')
    .argument('[event]', 'the type of the event, such as email.opened')
    .option(
      '--to <receiver>',
      'the id or the URL of a webhook, whose key then signs, or any other URL (default: every webhook that lists the event)',
    )
    .addOption(
      new Option('--phone <number>', 'the subscriber that the event is about').argParser(toFilled).conflicts('email'),
    )
    .option('--email <address>', 'the subscriber that the event is about', toFilled)
    .option(
      '--set <path=value>',
      'change the payload, such as subscription.type=TRANSACTIONAL; may be repeated',
      repeated,
    )
    .addOption(reachOption())
    .addOption(new Option('--dry-run', 'show the exact headers and bytes, and send nothing').conflicts('wait'))
    .option(
      '--wait [duration]',
      'wait until the delivery is delivered, failed or paused, at most for this long, such as 30s (default: as long as it takes)',
    )
    .action(async (event: string | undefined, options: TriggerOptions) =>
      (await import('../trigger.ts')).trigger(event, options),
    );

  listing(talking(program, 'deliveries', 'list the newest deliveries'), 100)
    .addOption(new Option('--state <state>', 'only those in this state').choices(deliveryState.enum))
    .option('--webhook <id>', 'only those of this webhook')
    .action(async (options: DeliveriesOptions) => (await import('../webhooks.ts')).listDeliveries(options));

  talking(program, 'redeliver', 'send a delivery again, with the same event id')
    .argument('[id]', 'the id of the delivery; "sandpiper deliveries" lists them')
    .option('--failed', 'send all that failed')
    .action(async (id: string | undefined, options: ConnectOptions & { failed?: boolean }) =>
      (await import('../webhooks.ts')).redeliver(id, options),
    );

  talking(program, 'enable', 'let a disabled webhook get events again; what waits for it is sent')
    .argument('<webhook>', 'the id of the webhook; "sandpiper records webhooks" lists them')
    .action(async (id: string, options: ConnectOptions) => (await import('../webhooks.ts')).enable(id, options));

  talking(program, 'rotate', 'give a webhook a new signing key; for a while the old key signs too')
    .argument('<webhook>', 'the id of the webhook; "sandpiper records webhooks" lists them')
    .option('--overlap <duration>', 'how long the old key still signs (default: 24h)')
    .action(async (id: string, options: ConnectOptions & { overlap?: string }) =>
      (await import('../webhooks.ts')).rotate(id, options),
    );

  talking(
    program,
    'gym',
    'test a receiver with events that are duplicated, reordered, delayed, sent at once or cut; a seed makes it repeatable',
  )
    .argument('<receiver>', 'a URL or the id of a webhook')
    .option('--count <number>', 'how many different events (default: 10)')
    .option('--seed <number>', 'the same seed sends the same requests (default: 1)')
    .option(
      '--acts <acts>',
      'which of duplicate, reorder, delay, concurrent and cut, with commas between them; each is done at least once (default: all that the count allows)',
      repeatedNames,
    )
    .option(
      '--types <types>',
      'which types of events, with commas between them (default: those that the webhook lists; for another URL all)',
      repeatedNames,
    )
    .addOption(reachOption())
    .action(async (to: string, options: GymOptions) => (await import('../webhooks.ts')).gym(to, options));

  talking(program, 'receiver', 'start the built-in receiver of webhooks, and show what it received')
    .option('--status <number>', 'the status that it answers with (default: 200)')
    .option('--delay <duration>', 'how long it waits before it answers, such as 2s; a plain number is milliseconds')
    .addOption(
      new Option(
        '--connection <how>',
        'what happens to a connection: answered, closed without an answer, or refused as if nothing listened',
      ).choices(Object.keys(connections)),
    )
    .addOption(new Option('--off', 'stop it').conflicts(['status', 'delay', 'connection']))
    .action(async (options: ReceiverOptions) => (await import('../webhooks.ts')).receiver(options));
}

function reachOption(): Option {
  return new Option(
    '--reach <how far>',
    'where a URL may be that belongs to no webhook: on this machine, also in private networks, or anywhere (default: loopback); a webhook has its own reach',
  ).choices(reach.enum);
}

/** What the built-in receiver can do with a connection, each once. A new one is a type error here. */
const connections: { readonly [How in NonNullable<ReceiverOptions['connection']>]: true } = {
  answered: true,
  reset: true,
  refused: true,
};
