import { Argument, Option, type Command } from 'commander';
import type { ActOptions, ComposeOptions, MessagesOptions, TapName } from '../messages.ts';
import { listing, talking, toFilled } from './options.ts';

/** Commands for the simulated phone and inbox. */
export function addPeopleCommands(program: Command): void {
  program.commandsGroup('Messages:');
  listing(talking(program, 'messages', 'list what was sent to people and what they replied'), 100)
    .addOption(new Option('--phone <number>', 'only those of this person').argParser(toFilled).conflicts('email'))
    .option('--email <address>', 'only those of this person', toFilled)
    .action(async (options: MessagesOptions) => (await import('../messages.ts')).listMessages(options));

  talking(program, 'compose', 'send a text or an email to a subscriber, as a campaign would')
    .argument('<text>', 'the text of the message; links in it are shortened')
    .addOption(
      new Option('--phone <number>', 'send a text to this number').argParser(toFilled).conflicts(['email', 'subject']),
    )
    .option('--email <address>', 'send an email to this address', toFilled)
    .option('--subject <text>', 'the subject of an email')
    .option('--name <text>', 'the name of the campaign')
    .option('--force', 'send it also to a person who is not subscribed')
    .action(async (text: string, options: ComposeOptions) => (await import('../messages.ts')).compose(text, options));

  talking(program, 'act', 'act as the person who got a message: open it, click a link, unsubscribe or reply')
    .argument('<message>', 'the id of the message; "sandpiper messages" lists them')
    .addArgument(new Argument('<action>', 'what the person does').choices(Object.keys(taps)))
    .option('--link <number>', 'for a click: which link, counted from 0 (default: 0)')
    .option('--text <words>', 'for a reply: its words, such as STOP')
    .action(async (id: string, what: TapName, options: ActOptions) =>
      (await import('../messages.ts')).act(id, what, options),
    );
}

/** Everything that a person can do with a message, each once. A new tap is a type error here. */
const taps: { readonly [A in TapName]: true } = { open: true, click: true, unsubscribe: true, reply: true };
