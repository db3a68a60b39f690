/**
 * What a page knows about its request. The key is created here, inside the pages' bundle; the server passes a plain
 * object to `render` (two module graphs, see docs/architecture.md).
 */
import { createContext } from 'react-router';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Subject } from '#src/features/tenancy/revisions.sql.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** A refusal from before any page was chosen: an unknown host, a database that does not answer. */
export type PageFailure = { status: number; message: string };

/** What was typed into a form, without its passwords, and its errors. */
type SentForm = {
  /** Status of the answer. */
  status: number;
  values: Record<string, string>;
  errors: FieldErrors;
  messages: readonly string[];
};

/** The product's services. The composition root declares their types (`src/app.ts`), so that no page imports it. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Services {}

export type PageContext = {
  app: Services;
  caller: Caller;
  /** The root or the parent organization that the host names. */
  tenant: { organization: Organization };
  /** The address of the page, also when the browser asks for its data only. */
  url: URL;
  /** One per response; scripts and styles without it are blocked. */
  nonce: string;
  /** A placeholder for the style sheet, until the page is sent; null if the browser fetches the sheet. */
  sheet: string | null;
  /** Loaders never see one: the root middleware throws it first. */
  failure: PageFailure | null;
  /** A form of the page that was sent without JavaScript and refused; null on every other request. */
  form: SentForm | null;
  /** False if another site, or a browser that prefetches, may have caused the request: it must not change anything. */
  isOwnNavigation: boolean;
  /**
   * Called by the innermost loader of a page that is the same for every visitor, with the content it depends on: the
   * page may be cached until that changes.
   */
  setSubjects: (subjects: readonly Subject[]) => void;
  /** Called with the pattern of the page's address, by which its requests are counted. */
  isRoute: (pattern: string) => void;
  /** Ends the caller's session and deletes its cookie. */
  endSession: () => Promise<void>;
  /** Logs an unexpected failure with the request's id; visitors see a plain sentence. */
  report: (error: unknown) => void;
};

/** In loaders and middleware: `context.get(requestContext)`. */
export const requestContext = createContext<PageContext>();
