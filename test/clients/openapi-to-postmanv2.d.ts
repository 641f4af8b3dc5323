/** The part of the package that the tests use; it has no types. */
declare module 'openapi-to-postmanv2' {
  interface Converted {
    readonly result: boolean;
    readonly reason?: string;
    readonly output: readonly { readonly data: unknown }[];
  }
  const converter: {
    convertV2(
      input: { readonly type: 'json'; readonly data: object },
      options: { readonly [name: string]: unknown },
      callback: (error: Error | null, result: Converted) => void,
    ): void;
  };
  export default converter;
}
