import { lookup } from 'node:dns/promises';
import { get } from 'node:http';

const host = 'api.attentivemobile.com';
const { address } = await lookup(host);
const headers = { host, authorization: 'Bearer sandpiper-demo-key' };
get({ host: address, path: '/v1/me', headers }, async (response) => {
  let text = '';
  for await (const chunk of response) text += chunk;
  console.log(response.statusCode, JSON.parse(text).companyName);
});
