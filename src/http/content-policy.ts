/** The Content-Security-Policy of pages: only our own scripts run, and no site may frame ours. */
export type PolicyOptions = {
  nonce: string;
  /** Other origins that the page may talk to: the object store that uploads go to, the card provider. */
  connect: readonly string[];
  /** Origins of scripts and frames of the card provider; none with the sandbox. */
  cards: readonly string[];
  /** `?publicView=true` of a gallery, the only page that may be framed (rule 41). */
  mayBeFramed: boolean;
  /** Hosts that a form of ours may lead to: a login on one of them lands on another. */
  forms?: readonly string[];
  /** Vite's hot reload needs its socket and inline styles. */
  development: boolean;
};

export function contentPolicy({ nonce, connect, cards, mayBeFramed, forms = [], development }: PolicyOptions): string {
  const own = `'self' 'nonce-${nonce}'`;
  const policy: Record<string, string> = {
    'default-src': "'self'",
    'script-src': [own, ...cards].join(' '),
    // Style elements and sheets need the nonce; style attributes carry widths, ratios and accents, which no sheet can know.
    'style-src': development ? "'self' 'unsafe-inline'" : own,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': ["'self'", ...connect, ...cards, ...(development ? ['ws:'] : [])].join(' '),
    'frame-src': cards.length > 0 ? cards.join(' ') : "'none'",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': ["'self'", ...forms].join(' '),
    'frame-ancestors': mayBeFramed ? '*' : "'none'",
  };
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
