// For `--import`: prints samples of the program's resident memory at exit, in MB.
const samples: number[] = [];
setInterval(() => samples.push(Math.round(process.memoryUsage.rss() / 2 ** 20)), 50).unref();
process.on('exit', () => {
  process.stdout.write(`memory ${JSON.stringify(samples)}\n`);
});
