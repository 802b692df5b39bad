#!/usr/bin/env node
const MIN_VERSION = 26;
const major = Number(process.versions.node.split('.')[0]);
if (major < MIN_VERSION) {
  process.stderr.write(
    `tradepost: Node.js ${MIN_VERSION} or newer is required, but this is ${process.versions.node}. ` +
      'In a clone of the repository, "npm start" and "npx tradepost" use the version that "npm ci" installs.\n',
  );
  process.exit(1);
}
const { main } = await import('../src/commands/main.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
