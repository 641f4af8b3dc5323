import { Argument, Option, type Command } from 'commander';
import type { ActOptions, ComposeOptions, MessagesOptions, TapName } from '../messages.ts';
import { listing, talking, toFilled } from './options.ts';

/** Commands for the simulated phone and inbox. */
export function addPeopleCommands(program: Command): void {
  program.commandsGroup('Messages:');
  listing(talking(program, 'messages', 'list what was sent to people and what they replied'), 100)
    .addOption(new Option('--phone <number>', 'of one person').argParser(toFilled).conflicts('email'))
    .option('--email <address>', 'of one person', toFilled)
    .action(async (options: MessagesOptions) => (await import('../messages.ts')).listMessages(options));

  talking(program, 'compose', 'send a text or an email to a subscriber, as a campaign would')
    .argument('<text>', 'links in it are shortened')
    .addOption(
      new Option('--phone <number>', 'send a text to this number').argParser(toFilled).conflicts(['email', 'subject']),
    )
    .option('--email <address>', 'send an email to this address', toFilled)
    .option('--subject <text>', 'the subject of an email')
    .option('--name <text>', 'the name of the campaign')
    .option('--force', 'also to a person who is not subscribed')
    .action(async (text: string, options: ComposeOptions) => (await import('../messages.ts')).compose(text, options));

  talking(program, 'act', 'do what a person does with a message')
    .argument('<message>', 'its id; "sandpiper messages" lists them')
    .addArgument(new Argument('<act>', 'what the person does').choices(Object.keys(taps)))
    .option('--link <number>', 'which link is clicked, counted from 0')
    .option('--text <words>', 'the words of a reply, such as STOP')
    .action(async (id: string, what: TapName, options: ActOptions) =>
      (await import('../messages.ts')).act(id, what, options),
    );
}

/** Everything that a person can do with a message, each once. A new tap is a type error here. */
const taps: { readonly [A in TapName]: true } = { open: true, click: true, unsubscribe: true, reply: true };
