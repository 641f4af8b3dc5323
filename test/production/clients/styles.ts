import { get, request } from 'node:https';
import axios, { create } from 'axios';
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

const styles: readonly (() => Promise<unknown>)[] = [
  () => fetch(url), // fetch
  inFunction,
  async () => (await fetch(new Request(url))).text(), // a Request
  () => axios.get(url, { validateStatus: null }), // axios
  async () => (await own.post(url, { a: 1 })).status, // axios with an interceptor
  () => nodeFetch(url), // node-fetch
  () => undiciRequest(url, { dispatcher: new Agent() }), // undici
  () => new Promise((resolve) => get(url, (answer) => answer.resume().on('end', resolve))), // https.get
  () => new Promise((resolve) => request(url, (answer) => answer.resume().on('end', resolve)).end()), // https.request
  () => new Promise((resolve) => setTimeout(() => resolve(fetch(url)), 1)), // a timer
];
for (const style of styles) await style();
process.exit();
