/**
 * What a Node program needs that must have nothing else of a test's environment: where programs are, and Node's compile
 * cache, without which it compiles the whole product again (decision record 0122).
 */
export const NODE_ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};
