import { onBeforeUnmount, onMounted } from 'vue';

/** Keys as `KeyboardEvent.key` names them; `Mod+` is Ctrl or Cmd. */
export interface Keys {
  readonly [key: string]: (event: KeyboardEvent) => void;
}

/** Listens for keys while the component is there. Single letters are dead while typing and under a dialog. */
export function useKeys(keys: Keys): void {
  const hear = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey) return;
    const mod = event.ctrlKey || event.metaKey;
    const act = keys[`${mod ? 'Mod+' : ''}${event.key}`];
    if (!act || (!mod && isTyping(event.target)) || document.querySelector('dialog[open]')) return;
    // Enter and Space belong to the control that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && isControl(event.target)) return;
    event.preventDefault();
    act(event);
  };
  onMounted(() => document.addEventListener('keydown', hear));
  onBeforeUnmount(() => document.removeEventListener('keydown', hear));
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, [role="tab"]') !== null;
}
