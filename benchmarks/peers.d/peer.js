// 64 connections, each calls again as soon as it has its answer (k6).
import http from 'k6/http';

export const options = { discardResponseBodies: true, noVUConnectionReuse: false, summaryMode: 'compact', insecureSkipTLSVerify: true };

export default function () {
  http.get(__ENV.TARGET);
}
