#!/usr/bin/env node
const NEEDED = 26;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  process.stderr.write(
    `tradepost: Node.js ${NEEDED} or newer is needed, this is ${process.versions.node}. ` +
      'After "npm ci", "npm start" and "npx tradepost" use the one that comes with the project.\n',
  );
  process.exit(1);
}
const { main } = await import('../src/commands/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
