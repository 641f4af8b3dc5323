const { request } = require('node:https');

const agent = new (require('node:https').Agent)({ keepAlive: true });
const sent = request(
  {
    hostname: 'api.attentivemobile.com',
    path: '/v1/me',
    agent,
    headers: { authorization: 'Bearer sandpiper-demo-key' },
  },
  (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (part) => (text += part));
    answer.on('end', () => {
      console.log(answer.statusCode, JSON.parse(text).companyName);
      agent.destroy();
    });
  },
);
sent.end();
