/** Statements of a transaction that start together: sent in one packet, and answered in one. */
import pg from 'pg';

/** What node-postgres does with a statement, and keeps of a session; its types leave it out. */
type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void };
  submittedNamedStatements: Record<string, string>;
  sync(): void;
};
type Handlers = {
  name?: string | undefined;
  text: string;
  queryMode?: 'extended';
  callback?: ((error: Error | null, result?: unknown) => void) | undefined;
  _result: { _types: pg.CustomTypesConfig };
  submit(wire: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleEmptyQuery(wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
};

/** A pipeline of node-postgres takes its own class only. */
const PgQuery = pg.Query as unknown as new (config: { text: string }) => Handlers;

/**
 * PostgreSQL sends its answers when it reads a Sync. With one after each statement, as node-postgres does it, each answer
 * wakes the process that waits for all of them. Here one Sync follows the last statement. After a failure PostgreSQL skips
 * the others, which fail with the same error.
 */
class StatementGroup extends PgQuery {
  /** Those without their whole answer yet. The first is answered now, and the session looks for its name here. */
  readonly #left: Handlers[];

  constructor(statements: readonly pg.Query[]) {
    super({ text: '' });
    this.#left = [...(statements as unknown as readonly Handlers[])];
    this.#nameFirst();
  }

  #nameFirst(): void {
    this.name = this.#left[0]?.name;
    this.text = this.#left[0]?.text ?? '';
  }

  override submit(wire: Wire): null {
    const unsynced = Object.create(wire, { sync: { value: () => undefined } }) as Wire;
    wire.stream.cork();
    for (const statement of this.#left) {
      const refused = statement.submit(unsynced);
      if (refused) wire.stream.destroy(refused);
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.#left[0]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.#left[0]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    this.#left[0]?.handleCommandComplete(message, wire);
    this.handleEmptyQuery(wire);
  }

  /** Its last message: the next statement is answered. */
  override handleEmptyQuery(wire: Wire): void {
    this.#left.shift()?.handleReadyForQuery(wire);
    this.#nameFirst();
  }

  override handleError(error: Error, wire: Wire): void {
    for (const statement of this.#left.splice(0)) {
      // PostgreSQL may not have read it.
      if (statement.name) delete wire.submittedNamedStatements[statement.name];
      statement.handleError(error, wire);
    }
    this.callback?.(error);
  }
}

/** A statement to be grouped; `name` if it is prepared. @param types how its values are read */
export function statementOf(
  { name, text, values }: { name: string | undefined; text: string; values: unknown[] },
  types: pg.CustomTypesConfig,
): { query: pg.Query; answer: Promise<pg.QueryResult> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  // Made of its text: an object would be copied property by property.
  const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
  const handlers = query as unknown as Handlers;
  handlers.name = name;
  handlers.queryMode = 'extended';
  // A session does this for a statement that it is given itself.
  handlers._result._types = types;
  return { query, answer };
}

/** For the query method of a session: one statement as it is, or a group of several. */
export function grouped(statements: readonly pg.Query[]): pg.Query {
  const [first] = statements;
  return first && statements.length === 1 ? first : (new StatementGroup(statements) as unknown as pg.Query);
}
