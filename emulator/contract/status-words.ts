/** The platform's descriptions of the statuses (docs/platform.md, Error bodies); those of 413 and 415 are ours. */
export const statusWords: { readonly [status: string]: string } = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  302: 'Redirect',
  303: 'Redirect',
  400: 'Invalid parameter in request query or body',
  401: 'Unauthorized',
  403: 'Access Denied',
  404: 'The specified resource was not found',
  405: 'The path does not take this method',
  413: 'The body is larger than the operation reads',
  415: 'The body is not of the type that the operation reads',
  429: 'The user has sent too many requests in a given amount of time',
  500: 'Internal Server Error',
};
