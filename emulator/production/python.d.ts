/** The text of a program in Python, which the build puts into the bundle. */
declare module '*.py?raw' {
  const text: string;
  export default text;
}
