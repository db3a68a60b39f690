/** A use case: a function whose first argument is its context. */
type UseCase<Context> = (context: Context, ...args: never[]) => unknown;

/** The same functions without their first argument. */
type Bound<UseCases> = {
  [Name in keyof UseCases]: UseCases[Name] extends (context: never, ...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never;
};

/** Binds each use case to its context, so that callers pass only the other arguments. */
export function bind<Context, UseCases extends Record<string, UseCase<Context>>>(
  context: Context,
  useCases: UseCases,
): Bound<UseCases> {
  const bound = Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(null, context)]);
  return Object.fromEntries(bound) as Bound<UseCases>;
}
