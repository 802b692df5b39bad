import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentPath, readDocuments } from '../../clients/typescript/generate.ts';
import { installTools } from './tools.ts';

/** A check of a document by a tool, and the problems that it found. */
interface Result {
  document: DocumentPath;
  check: string;
  problems: readonly string[];
}

process.stdout.write('Installing the tools, unless they have been installed…\n');
const tools = await installTools();
// Generated code imports packages from the tools' folder.
const work = join(tools.directory, 'generated');
await rm(work, { recursive: true, force: true });
const results: Result[] = [];
for (const [document, json] of Object.entries(await readDocuments()) as [DocumentPath, string][]) {
  const directory = join(work, document === '/openapi.json' ? 'merchant' : 'operator');
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'openapi.json');
  await writeFile(file, json);
  for (const { check, run } of tools.checks) {
    const problems = await run(file, directory);
    results.push({ document, check, problems });
    process.stdout.write(`${document}, ${check}: ${problems.length} problems\n`);
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  }
}
if (results.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
