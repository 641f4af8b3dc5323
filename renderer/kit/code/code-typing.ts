import { EditorView } from '@codemirror/view';

/**
 * When text is typed over a selection, Chromium copies the look of the replaced text into a style attribute, which our
 * policy forbids and reports. This handler replaces the selection before the browser touches the text.
 */
export const typedOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    const text = event.data;
    if (event.inputType !== 'insertText' || text === null || main.empty || view.state.readOnly) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
