/** The address to type into a browser on this machine. */
export function siteAddress(host: string, port: number): string {
  const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'];
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The one line that programs wait for (docs/requirements/running.md). */
export function announceReady(host: string, port: number): void {
  process.stdout.write(`Sideline is ready at ${siteAddress(host, port)}\n`);
}
