/** Gives the focus to the next or previous pane of the window: the sidebar, the panes of the view, the clock bar. */
export function focusPane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.sidebar, .main .pane, .clockbar')].filter(
    // Skip a pane that contains panes: they are the stops.
    (pane) => pane.offsetParent !== null && !pane.querySelector('.pane'),
  );
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[at < 0 ? (by > 0 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length];
  if (!next) return;
  // Prefer the chosen item, then the first focusable element, then the pane itself.
  const stops = [...next.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, textarea, [tabindex]')];
  const open = stops.filter(({ tabIndex, offsetParent }) => tabIndex >= 0 && offsetParent !== null);
  const target = open.find((stop) => stop.matches('[aria-current="page"], [aria-selected="true"], [role="grid"]'));
  if (open.length === 0) next.tabIndex = -1;
  (target ?? open[0] ?? next).focus();
}
