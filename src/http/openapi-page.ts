/** A plain page of all calls, generated from the OpenAPI document: no script, no other site. */
import type { ApiDocument, Operation } from '#src/http/openapi-document.ts';
import { escapeMarkup as escape } from '#src/shared/markup.ts';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

function details(title: string, value: unknown): string {
  return value === undefined
    ? ''
    : `<details><summary>${title}</summary><pre>${escape(JSON.stringify(value, null, 2))}</pre></details>`;
}

function callSection(method: string, path: string, call: Operation): string {
  return `<section><h2><b>${method.toUpperCase()}</b> ${escape(path)}</h2><p>${escape(call.summary ?? '')}</p><p class="who">${escape(call.description ?? '')}</p>${details('Parameters', call.parameters)}${details('Body', call.requestBody)}${details('Answers', call.responses)}</section>`;
}

/** @returns a whole html document */
export function apiDocsPage(document: ApiDocument): string {
  const sections: string[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const call = item[method];
      if (call) sections.push(callSection(method, path, call));
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks ?? {}))
    sections.push(callSection('webhook', type, post));
  const title = escape(document.info?.title ?? 'API');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}: calls</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 20px;background:#FBFAF7;color:#14171A}section{border-top:1px solid #E6E2DA;padding:.5rem 0}h2{font-size:1.05rem;overflow-wrap:anywhere}h2 b{display:inline-block;min-width:4.5rem;color:#006B92}.who{color:#5B6470}pre{overflow:auto;background:#fff;border:1px solid #E6E2DA;border-radius:10px;padding:1rem;font-size:.8rem}summary{cursor:pointer;padding:.3rem 0}</style>
<h1>${title}: calls</h1><p>${escape(document.info?.description ?? '')} The same as a document for programs: <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('\n')}</html>`;
}
