/* A receiver in a separate process: replies to every POST with STATUS, prints its port. */
import { createServer } from 'node:http';

const status = Number(process.env.STATUS ?? 200);
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(status, { 'content-length': 2 });
    response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
