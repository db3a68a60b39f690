/**
 * What a page knows of its request. The key is created here, inside the pages' bundle; the
 * server hands a plain object to `render` (two module graphs, see docs/architecture.md).
 */
import { createContext } from 'react-router';
import type { App } from '#src/app.ts';
import type { Caller } from '#src/features/accounts/actor.rules.ts';
import type { Organization } from '#src/features/organizations/organizations.rules.ts';

/** The root or the parent organisation that the host names. */
export type Tenant = { organization: Organization };

/** A refusal that happened before any page was asked: an unknown host, a database that does not answer. */
export type PageFailure = { status: number; message: string };

export type PageContext = {
  app: App;
  caller: Caller;
  /** Never looked at by a loader when `failure` is set: the root middleware throws first. */
  tenant: Tenant;
  /** The address of the page, also when the browser asks for its data only. */
  url: URL;
  /** One per answer; scripts and styles without it do not run. */
  nonce: string;
  failure: PageFailure | null;
  /** False where another site, or a browser fetching ahead, may be behind the request: it must not change anything. */
  wentHereThemselves: boolean;
  /** Ends the caller's session and has the browser forget its cookie. */
  endSession: () => Promise<void>;
  /** Logs an unexpected failure with the request's id; visitors are shown a plain sentence. */
  report: (error: unknown) => void;
};

/** In loaders and middleware: `context.get(requestContext)`. */
export const requestContext = createContext<PageContext>();
