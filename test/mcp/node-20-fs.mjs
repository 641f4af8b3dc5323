// The conformance suite imports fs.globSync, which Node 20 has not; the part that is run here does not call it.
import fs from 'node:fs';
import { register } from 'node:module';

const withGlob = 'export * from "node:fs"; export const globSync = () => [];';
const hook = `export async function resolve(specifier, context, next) {
  return specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(withGlob)}), shortCircuit: true }
    : next(specifier, context);
}`;
if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(hook)}`);
