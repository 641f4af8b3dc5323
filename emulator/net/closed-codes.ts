/** The error codes of a connection that the other side closed. Windows reports many of them with the last code. */
export const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
