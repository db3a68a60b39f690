/**
 * What a page knows of its request. The key is created here, inside the pages' bundle; the
 * server hands a plain object to `render` (two module graphs, see docs/architecture.md).
 */
import { createContext } from 'react-router';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** The root or the parent organization that the host names. */
export type Tenant = { organization: Organization };

/** A refusal that happened before any page was asked: an unknown host, a database that does not answer. */
export type PageFailure = { status: number; message: string };

/** What was typed into a form, without its passwords, and what is wrong with it. */
export type SentForm = {
  /** Of the answer. */
  status: number;
  values: Record<string, string>;
  errors: FieldErrors;
  messages: readonly string[];
};

/** The product's services. The composition root declares what they are (`src/app.ts`), so that no page imports it. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Services {}

export type PageContext = {
  app: Services;
  caller: Caller;
  /** Never looked at by a loader when `failure` is set: the root middleware throws first. */
  tenant: Tenant;
  /** The address of the page, also when the browser asks for its data only. */
  url: URL;
  /** One per answer; scripts and styles without it do not run. */
  nonce: string;
  /** What stands in the page for the style sheet, until the page is sent; null where the browser fetches it. */
  sheet: string | null;
  failure: PageFailure | null;
  /** A form of the page that was sent without a script and refused; null on every other request. */
  form: SentForm | null;
  /** False where another site, or a browser fetching ahead, may be behind the request: it must not change anything. */
  wentHereThemselves: boolean;
  /**
   * Told by the innermost loader of a page that every visitor sees alike, and what the page is made of: it may be kept until
   * one of these changes.
   */
  isMadeOf: (subjects: readonly Subject[]) => void;
  /** Told the pattern of the page's address, by which its requests are counted. */
  isRoute: (pattern: string) => void;
  /** Ends the caller's session and has the browser forget its cookie. */
  endSession: () => Promise<void>;
  /** Logs an unexpected failure with the request's id; visitors are shown a plain sentence. */
  report: (error: unknown) => void;
};

/** In loaders and middleware: `context.get(requestContext)`. */
export const requestContext = createContext<PageContext>();
