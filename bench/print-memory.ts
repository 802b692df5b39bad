// Loaded before a program with `--import`: at its end, prints what memory it took over time, in MB.
const samples: number[] = [];
setInterval(() => samples.push(Math.round(process.memoryUsage.rss() / 2 ** 20)), 50).unref();
process.on('exit', () => {
  process.stdout.write(`memory ${JSON.stringify(samples)}\n`);
});
