import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Architecture } from './node-distribution.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const PAGES = 'web/dist';

/** The program, and the modules that it runs in threads, by name. */
export interface Scripts {
  program: string;
  threads: Readonly<Record<string, string>>;
}

/**
 * Copies a Node.js executable, with the scripts and the console's pages. `workDirectory` is for temporary
 * files. The same input gives the same bytes.
 */
export async function buildExecutable(
  scripts: Scripts,
  {
    architecture,
    node,
    output,
    workDirectory,
  }: { architecture: Architecture; node: string; output: string; workDirectory: string },
): Promise<void> {
  // Names without the directory: the executable contains the name of its program.
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(join(workDirectory, name), content);
    return name;
  };
  const assets: Record<string, string> = Object.fromEntries(pages());
  for (const [name, code] of Object.entries(scripts.threads))
    assets[`${name}.js`] = await write(`${name}.js`, code);
  const config = {
    main: await write('program.js', scripts.program),
    executable: node,
    output,
    assets,
    disableExperimentalSEAWarning: true,
    // Only the same processor can use compiled code.
    useCodeCache: architecture === process.arch,
    // Short requests need no larger young generation, which would only use memory.
    execArgv: ['--max-semi-space-size=4'],
    execArgvExtension: 'env',
  };
  // Otherwise the compiled code would depend on a random number.
  const options = ['--random-seed=1', '--build-sea'];
  const file = await write('executable.json', JSON.stringify(config));
  await run(process.execPath, [...options, file], { cwd: workDirectory });
}

function pages(): [name: string, file: string][] {
  return readdirSync(join(ROOT, PAGES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [file.slice(ROOT.length + 1), file]);
}
