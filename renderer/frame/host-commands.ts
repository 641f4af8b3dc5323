import { onScopeDispose } from 'vue';
import { useRouter } from 'vue-router';
import { offeredActions } from '../commands/actions.ts';
import { useToasts } from '../kit/toasts.ts';

/**
 * Runs the commands of the shell's menus and links: an action of the palette by its name, or a route.
 * @param frame commands that the frame itself runs, in addition to the actions
 */
export function useHostCommands(frame: { readonly [name: string]: () => void }): void {
  const router = useRouter();
  const toasts = useToasts();

  function run(name: string): void {
    const action = offeredActions.value.find((one) => one.name === name);
    if (frame[name]) frame[name]();
    else if (!action) toasts.refuse(`There is no “${name}” here.`);
    else if (action.why) toasts.refuse(`${action.title}: ${action.why}`);
    else action.act();
  }

  const stop = window.host?.onCommand((command) => {
    if ('run' in command) run(command.run);
    else void router.push(command.go);
  });
  if (stop) onScopeDispose(stop);
}
