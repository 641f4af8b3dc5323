/**
 * Copies a selection inside a line whose parts are cut one by one, such as a path, as one line. The browser would copy
 * each part as a line of its own. A selection that goes beyond the line is left to the browser.
 */
export function copyLine(event: ClipboardEvent): void {
  const line = event.currentTarget;
  const selection = getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  if (!range || range.collapsed || !(line instanceof Node) || !line.contains(range.commonAncestorContainer)) return;
  event.clipboardData?.setData('text/plain', range.cloneContents().textContent);
  event.preventDefault();
}
