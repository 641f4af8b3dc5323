import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { toName } from '../../contract/pointer.ts';
import { toValidator } from '../../contract/validate.ts';
import type { ControlClient } from '../../control/client/control-client.ts';
import { didYouMean, UserError } from '../../errors.ts';
import { explainMisfit } from '../../http/fit-rule.ts';
import { sayError } from '../usage.ts';
import { tools } from './tools.ts';

const instructions = `Sandpiper emulates a customer-messaging platform (SMS, email) on this machine. Nothing reaches real people.
When an integration's request fails, call explain with "refused" first: it names the rule, the place and the fix.`;

/**
 * Creates the MCP server of a running emulator (Model Context Protocol, over any transport).
 * @param connect finds the emulator for each call, because it may be started after the agent
 */
export function createMcpServer({
  connect,
  version,
}: {
  readonly connect: () => ControlClient;
  readonly version: string;
}): Server {
  const server = new Server({ name: 'sandpiper', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(
      ([
        name,
        {
          description,
          inputSchema: { required = [], ...inputSchema },
          changes,
        },
      ]) => ({
        name,
        description,
        inputSchema: { ...inputSchema, ...(required.length > 0 ? { required: [...required] } : {}) },
        annotations: { ...(changes ? { destructiveHint: false } : { readOnlyHint: true }), openWorldHint: false },
      }),
    ),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
    if (!tool) {
      const message = `There is no tool ${JSON.stringify(params.name)}. ${didYouMean(params.name, Object.keys(tools))}`;
      // McpError would put its name and the code in front of the message.
      throw Object.assign(new Error(message), { code: ErrorCode.InvalidParams });
    }
    const input = params.arguments ?? {};
    const [misfit] = (await toValidator(tool.inputSchema))(input);
    if (misfit) return failed(explainMisfit(misfit, toName(misfit.pointer)));
    // Not in the schemas, whose list would get too long. What has no type may be an empty text, such as a body.
    const { properties } = tool.inputSchema;
    const empty = Object.keys(input).find((name) => input[name] === '' && 'type' in (properties[name] ?? {}));
    if (empty !== undefined) return failed(`${empty} must not be empty.`);
    // A cancelled call is not answered.
    if (signal.aborted) return failed('The call was cancelled before it began.');
    try {
      const told = await tool.run(connect(), input as never, signal);
      const { text, undo } = typeof told === 'string' ? { text: told, undo: undefined } : told;
      const hint = undo ? `\nTo take this back: undo with id ${undo.id}.` : '';
      return { content: [{ type: 'text', text: text + hint }] };
    } catch (error) {
      if (error instanceof UserError) return failed(sayError(error));
      throw error;
    }
  });
  return server;
}

function failed(text: string) {
  return { content: [{ type: 'text', text }], isError: true };
}
