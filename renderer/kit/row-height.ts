/** How high rows of one line are, in pixels: a setting, which the tokens know. Read when a list is set up. */
export function readRowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-h'));
}
