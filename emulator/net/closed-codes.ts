/** The errors of a connection that the other side closed; the last is what Windows says of many. */
export const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
