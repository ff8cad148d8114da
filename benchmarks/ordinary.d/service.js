// A small service in JavaScript that answers at once.
const http = require("http");
http
  .createServer((request, response) => response.end("hello\n"))
  .listen(Number(process.argv[2]), "127.0.0.1", 16384);
