import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = `
require('node:https').get(process.argv[1], { rejectUnauthorized: false }, async (response) => {
  const chunks = await Array.fromAsync(response);
  console.log(JSON.stringify({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
});`;

/** Gets a page, with the network that `enter` gives to a program. */
export async function page(
  url: string,
  enter: readonly string[] = [],
): Promise<{ status: number; text: string }> {
  const [program = '', ...args] = [...enter, process.execPath, '-e', SCRIPT, url];
  const { stdout } = await run(program, args);
  return JSON.parse(stdout);
}
