import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  readonly id?: string | undefined;
  readonly data: string;
}

/** Parses the server-sent events in a stream of bytes, each as soon as it is complete. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const events: StreamEvent[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    reader.releaseLock();
  }
}
