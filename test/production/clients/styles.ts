import { get } from 'node:https';
import axios, { create } from 'axios';
import { got } from 'got';
import nodeFetch from 'node-fetch';
import { Agent, request as undiciRequest } from 'undici';

interface Options {
  readonly url: string;
}

const { url }: Options = { url: 'https://api.attentivemobile.com/v1/me' };
const own = create({ validateStatus: null });
own.interceptors.request.use(async (config) => config);

async function inFunction(): Promise<number> {
  const { status } = await fetch(url); // in a function
  return status;
}

const throwHttpErrors = false;

/** Ten ways to send a request; the line of each ends in a comment with its name. */
export const styles: { readonly [name: string]: () => Promise<unknown> } = {
  fetch: () => fetch(url), // fetch
  'in a function': inFunction,
  'a Request': async () => (await fetch(new Request(url))).text(), // a Request
  axios: () => axios.get(url, { validateStatus: null }), // axios
  'axios with an interceptor': async () => (await own.post(url, { a: 1 })).status, // axios with an interceptor
  got: async () => (await got(url, { throwHttpErrors, http2: true })).statusCode, // got
  'node-fetch': () => nodeFetch(url), // node-fetch
  undici: () => undiciRequest(url, { dispatcher: new Agent() }), // undici
  'https.get': () => new Promise((resolve) => get(url, (answer) => answer.resume().on('end', resolve))), // https.get
  'a timer': () => new Promise((resolve) => setTimeout(() => resolve(fetch(url)), 1)), // a timer
};
