declare module 'launch-editor/guess.js' {
  /** The user's editor, from LAUNCH_EDITOR, the running programs, VISUAL or EDITOR, and its first arguments. */
  const guessEditor: () => readonly [editor: string | null, ...args: string[]];
  export default guessEditor;
}

declare module 'launch-editor/get-args.js' {
  /** The arguments with which an editor opens a file at a line and a column. */
  const toArguments: (editor: string, file: string, line: number, column: number) => readonly string[];
  export default toArguments;
}
