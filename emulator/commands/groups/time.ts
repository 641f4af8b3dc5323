import { Argument, type Command } from 'commander';
import { paces, type Pace } from '../../time/pace.ts';
import type { AdvanceOptions } from '../clock.ts';
import type { ConnectOptions } from '../connect.ts';
import { talking } from './options.ts';

/** Commands for the virtual clock. */
export function addTimeCommands(program: Command): void {
  program.commandsGroup('Time:');
  talking(program, 'clock', 'show the virtual clock, and the timers that wait for it').action(
    async (options: ConnectOptions) => (await import('../clock.ts')).showClock(options),
  );

  talking(program, 'advance', 'move the virtual clock')
    .argument('[duration]', 'how far, such as 30d, 12h, 5m or 90s')
    .option('--to <time>', 'move it to this time (ISO 8601)')
    .option('--rewind', 'go back to before the last advance, including the state')
    .option('--real', 'go back to real time')
    .action(async (duration: string | undefined, options: AdvanceOptions) =>
      (await import('../clock.ts')).advance(duration, options),
    );

  talking(program, 'freeze', 'stop the virtual clock')
    .option('--off', 'let the clock run again')
    .action(async (options: ConnectOptions & { off?: boolean }) => (await import('../clock.ts')).freeze(options));

  talking(program, 'rate', 'let virtual time pass faster or slower')
    .argument('<number>', 'virtual seconds in a real one, such as 60; 1 is real time')
    .action(async (rate: string, options: ConnectOptions) => (await import('../clock.ts')).setRate(rate, options));

  talking(program, 'pace', 'choose how uploads, offers and privacy requests move on')
    .addArgument(new Argument('<pace>', 'at once, as on the platform, or only by hand').choices(paces))
    .action(async (pace: Pace, options: ConnectOptions) => (await import('../clock.ts')).setPace(pace, options));
}
