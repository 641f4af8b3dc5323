import type { IncomingMessage } from 'node:http';
import { hostProblem, type Hosts } from '../net/host-guard.ts';
import { inHeader, inPath, refuse } from '../rules.ts';
import { inputRules } from './input-rules.ts';

/** Refuses a request that is not addressed to this server. */
export function checkHost(request: IncomingMessage, hosts: Hosts): void {
  const problem = hostProblem(request, hosts);
  if (problem === null) return;
  if (problem.line === undefined) refuse(inputRules.host, inHeader('host'), request.headers.host, problem);
  else refuse(inputRules.host, inPath(''), request.url, problem);
}
