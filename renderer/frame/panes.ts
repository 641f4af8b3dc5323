/** Gives the focus to the next or previous pane of the window: the sidebar, the panes of the view, the clock bar. */
export function focusPane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.sidebar, .main .pane, .clockbar')].filter(
    // A pane that holds panes is no stop of its own.
    (pane) => pane.offsetParent !== null && !pane.querySelector('.pane'),
  );
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[at < 0 ? (by > 0 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length];
  if (!next) return;
  const inside = next.querySelector<HTMLElement>(
    '[aria-current="page"], [aria-selected="true"], [role="grid"], [role="listbox"], button:not(:disabled), a[href], input',
  );
  const target = inside?.matches('[tabindex="-1"]') === false || inside?.tabIndex === 0 ? inside : null;
  if (!target && next.tabIndex < 0) next.tabIndex = -1;
  (target ?? next).focus();
}
