/** The statuses of an operation's refusals, for its document and for the check of its replies. */
export function errorStatuses({
  errors,
  access,
  body,
}: {
  readonly errors: readonly number[];
  readonly access: string;
  readonly body: object | null;
}): ReadonlySet<number> {
  return new Set([...errors, ...(access === 'anyone' ? [] : [401, 403]), ...(body ? [413, 415] : [])]);
}
