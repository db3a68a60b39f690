/** Statements of a transaction that start together: sent in one packet, and answered in one. */
import pg from 'pg';

/** What node-postgres does with a statement, and keeps of a session; its types leave it out. */
type Wire = {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
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
const PgQuery = pg.Query as unknown as new (text: unknown, values?: unknown[], done?: Handlers['callback']) => Handlers;

/** One statement of a group. */
export class Statement extends PgQuery {
  hasFailed = false;

  override handleError(error: Error, wire: Wire): void {
    this.hasFailed = true;
    super.handleError(error, wire);
  }
}

/**
 * PostgreSQL sends its answers when it reads a Sync. node-postgres sends one after each statement, and each answer wakes
 * the process, which waits for all of them. Here one Sync follows the last statement. After a failure PostgreSQL skips the
 * remaining statements; each of them rejects with its own copy of the error.
 */
class StatementGroup extends PgQuery {
  /** Statements without a complete answer. The first one is being answered; the session reads its name from this group. */
  #left: Statement[];

  constructor(statements: readonly Statement[]) {
    super('');
    this.#left = [...statements];
  }

  #nameFirst(): void {
    this.name = this.#left[0]?.name;
    this.text = this.#left[0]?.text ?? '';
  }

  override submit(wire: Wire): null {
    const unsynced = Object.create(wire, { sync: { value: () => undefined } }) as Wire;
    wire.stream.cork();
    this.#left = this.#left.filter((statement) => {
      const refused = statement.submit(unsynced);
      if (refused) statement.handleError(refused, wire);
      // If a value cannot be sent, the statement is prepared and closed, but not run.
      if (statement.hasFailed && statement.name) {
        delete wire.parsedStatements[statement.name];
        delete wire.submittedNamedStatements[statement.name];
      }
      return !statement.hasFailed;
    });
    this.#nameFirst();
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

  /** The last message of a statement; the answer of the next one follows. */
  override handleEmptyQuery(wire: Wire): void {
    this.#left.shift()?.handleReadyForQuery(wire);
    this.#nameFirst();
  }

  override handleError(error: Error, wire: Wire): void {
    for (const [at, statement] of this.#left.splice(0).entries()) {
      // PostgreSQL may not have prepared it.
      if (statement.name) delete wire.submittedNamedStatements[statement.name];
      statement.handleError(at === 0 ? error : skippedAfter(error), wire);
    }
    this.callback?.(error);
  }

  /** All have their answers. One without an answer would wait forever, so it fails. */
  override handleReadyForQuery(wire: Wire): void {
    for (const statement of this.#left.splice(0))
      statement.handleError(new Error('PostgreSQL has not answered the statement.'), wire);
    super.handleReadyForQuery(wire);
  }
}

/** Has the code and the constraint of the failure, which callers check. */
const skippedAfter = (failure: Error): Error => Object.assign(new Error(failure.message), failure, { cause: failure });

/** A statement to be grouped; `name` if it is prepared. @param types how its values are read */
export function statementOf(
  { name, text, values }: { name: string | undefined; text: string; values: unknown[] },
  types: pg.CustomTypesConfig,
): { query: Statement; answer: Promise<pg.QueryResult> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  // Constructed from its text: node-postgres would copy an object property by property.
  const query = new Statement(text, values, (error, result) =>
    error ? reject(error) : resolve(result as pg.QueryResult),
  );
  query.name = name;
  query.queryMode = 'extended';
  // For a statement outside a group, the session does this.
  query._result._types = types;
  return { query, answer };
}

/** For the query method of a session: one statement as it is, or a group of several. */
export function grouped(statements: readonly Statement[]): pg.Query {
  const [first] = statements;
  const query = first && statements.length === 1 ? first : new StatementGroup(statements);
  return query as unknown as pg.Query;
}
