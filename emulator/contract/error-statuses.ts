/** The statuses with which an operation may refuse, as its document names them and as its replies are checked. */
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
