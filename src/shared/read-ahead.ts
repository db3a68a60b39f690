/**
 * Reads in the order of the tasks, some at a time: while a result is used, the next ones are on their way, and never more than `atOnce`
 * of them. The first that fails ends it; what was asked for by then is waited for by no one.
 */
export async function* readAhead<Task, Result>(
  tasks: Iterable<Task>,
  atOnce: number,
  read: (task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const coming: Promise<Result>[] = [];
  const ask = (task: Task) => {
    const result = read(task);
    // Told when it is waited for; until then, or when no one waits any more, it is no one's.
    result.catch(() => undefined);
    coming.push(result);
  };
  for (const task of tasks) {
    if (coming.length >= atOnce) {
      const result = await (coming.shift() as Promise<Result>);
      ask(task);
      yield result;
    } else ask(task);
  }
  for (const result of coming) yield await result;
}
