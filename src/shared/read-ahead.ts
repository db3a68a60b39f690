/**
 * Reads in the order of the tasks, some at a time: while a result is used, the next ones are being read, never more
 * than `atOnce` of them. The first failure ends it; results requested by then are dropped.
 */
export async function* readAhead<Task, Result>(
  tasks: Iterable<Task>,
  atOnce: number,
  read: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const coming: Promise<Result>[] = [];
  const start = (task: Task) => {
    const result = read(task);
    // Reported when it is awaited; until then, or when it is no longer awaited, it is ignored.
    result.catch(() => undefined);
    coming.push(result);
  };
  for (const task of tasks) {
    if (coming.length >= atOnce) {
      const result = await (coming.shift() as Promise<Result>);
      start(task);
      yield result;
    } else start(task);
  }
  for (const result of coming) yield await result;
}
