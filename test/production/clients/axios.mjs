import { create } from 'axios';

const client = create({ baseURL: 'https://api.attentivemobile.com/v1' });
const { status, data } = await client.get('/me', { headers: { authorization: 'Bearer sandpiper-demo-key' } });
console.log(status, data.companyName);
