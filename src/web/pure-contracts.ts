/**
 * Contracts hold message texts and schemas side by side. A page that wants one text would carry
 * every schema of the file and the schema library with it, because a bundler cannot know that building a schema
 * does nothing else. This Vite plugin says so for contracts, the shared validators and the card token: what is not used is left out.
 */
import type { Plugin } from 'vite';

const SCHEMAS = /\/src\/(?:features\/.*\.contract|shared\/(?:validators|card-token))\.ts$/;

type Node = { type: string; start: number; end: number };
type Declared = Node & { declarations?: { init: Node | null }[]; declaration?: Declared | null };

/** Literals, functions and names need no help; anything else may be a call. */
const HARMLESS = /^(?:Literal|ArrowFunctionExpression|FunctionExpression|Identifier|TemplateLiteral)$/;

export function pureContracts(): Plugin {
  return {
    name: 'sideline:pure-contracts',
    applyToEnvironment: (environment) => environment.config.consumer === 'client',
    transform: {
      filter: { id: SCHEMAS },
      handler(code) {
        return { code: markPure(code, this.parse(code).body as unknown as Declared[]), map: null };
      },
    },
  };
}

/** Wraps the value of every top-level constant into a call that is marked as pure. */
export function markPure(code: string, statements: readonly Declared[]): string {
  const values = statements
    .map((statement) => statement.declaration ?? statement)
    .filter((statement) => statement.type === 'VariableDeclaration')
    .flatMap(({ declarations = [] }) => declarations.map(({ init }) => init))
    .filter((init): init is Node => init !== null && !HARMLESS.test(init.type));
  let marked = code;
  for (const { start, end } of values.toReversed()) {
    marked = `${marked.slice(0, start)}/* @__PURE__ */ (() => (${marked.slice(start, end)}))()${marked.slice(end)}`;
  }
  return marked;
}
