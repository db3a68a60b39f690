/** How much work something is, on a machine that may be busy. */

/** Milliseconds of processor time that this thread takes for the work: other work on the machine adds none. */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
