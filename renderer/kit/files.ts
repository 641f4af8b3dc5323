/** Saves a value as a readable JSON file, through the browser. */
export function saveAsFile(name: string, value: unknown): void {
  saveBlob(name, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
}

/** Saves bytes as a file, through the browser. */
export function saveBlob(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read it once the click is over.
  window.setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/**
 * Parses the JSON in a chosen file.
 * @throws Error with a sentence that names the file
 */
export async function readJsonFile(file: File): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // A world is often written in YAML, or as a module.
    const world = /\.(?:ya?ml|[cm]?[jt]s)$/i.test(file.name)
      ? ' A world file is loaded at a start: serve --world.'
      : '';
    throw new Error(
      `“${file.name}” is not JSON (${why}), so nothing was changed. Choose a file that was exported here.${world}`,
      { cause: error },
    );
  }
}
