import { computed, useTemplateRef, type ComputedRef } from 'vue';
import type { WelcomeView } from '../../../emulator/control/calls.ts';
import { useKeys } from '../../commands/keys.ts';
import { useConnection } from '../../live/connection.ts';

/**
 * The values that an app needs to send its requests here: the base URL and the keys of the demo data. The shortcuts
 * that copy them press the two copy buttons of the component, whose refs are `copyUrl` and `copyKey`.
 */
export function useAddress(): {
  readonly apiUrl: ComputedRef<string>;
  readonly keys: ComputedRef<WelcomeView['demoKeys']>;
} {
  const connection = useConnection();
  const copyUrl = useTemplateRef<Copying>('copyUrl');
  const copyKey = useTemplateRef<Copying>('copyKey');
  useKeys({
    'home.url': () => void copyUrl.value?.copy(),
    'home.key': () => (copyKey.value ? void copyKey.value.copy() : false),
  });
  return {
    apiUrl: computed(() => connection.welcome?.apiUrl ?? ''),
    keys: computed(() => connection.welcome?.demoKeys ?? []),
  };
}

/** A CopyButton. */
interface Copying {
  copy(): unknown;
}
