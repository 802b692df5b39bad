import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocuments } from '../../clients/read-documents.ts';
import { installTools } from './tools.ts';

const { directory, checks } = await installTools();
// Generated code imports packages of the tools' folder.
const work = join(directory, 'generated');
await rm(work, { recursive: true, force: true });
for (const [index, [path, json]] of Object.entries(await readDocuments()).entries()) {
  const folder = join(work, String(index));
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'openapi.json');
  await writeFile(file, json);
  for (const { check, run } of checks) {
    const problems = await run(file, folder);
    process.stdout.write(`${path}: ${check}: ${problems.length === 0 ? 'yes' : 'NO'}\n`);
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
