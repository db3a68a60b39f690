/**
 * Yardstick of P1: one plain sharp resize to 1440 px raw of the file named on each input line. Answers
 * each line with `{"cpuMs": …}`, the CPU (user and system, all threads) that it took. A program.
 */
import { createInterface } from 'node:readline';
import sharp from 'sharp';

// Without the cache every repetition does the work; one thread, like the picture process.
sharp.cache(false);
sharp.concurrency(1);

for await (const file of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  await sharp(file).rotate().resize(1440, 1440, { fit: 'inside' }).raw().toBuffer();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ cpuMs: (user + system) / 1000 })}\n`);
}
