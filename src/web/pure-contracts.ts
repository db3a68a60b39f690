/**
 * Contracts contain message texts and schemas. A page that needs one text would include every schema of the file and
 * the schema library, because a bundler cannot know that creating a schema has no side effects. This Vite plugin marks
 * them as pure in contracts, the shared validators and the card token: what is not used is left out.
 */
import type { Plugin } from 'vite';

const SCHEMAS = /\/src\/(?:features\/.*\.contract|shared\/(?:validators|card-token))\.ts$/;

type Node = { type: string; start: number; end: number };
type Declared = Node & { declarations?: { init: Node | null }[]; declaration?: Declared | null };

/** Literals, functions and names need no marking; anything else may be a call. */
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
