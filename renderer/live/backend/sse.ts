/** The data of every whole server-sent event in a stream of bytes, as they come. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const lines = event
          .split('\n')
          .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []));
        if (lines.length > 0) yield lines.join('\n');
      }
    }
  } finally {
    reader.releaseLock();
  }
}
