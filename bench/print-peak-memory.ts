// Loaded before a program with `--import`: prints the most memory that its process took, in KB.
process.on('exit', () => {
  process.stdout.write(`peak ${process.resourceUsage().maxRSS}\n`);
});
