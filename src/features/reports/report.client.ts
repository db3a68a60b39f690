/** A report as a file, through the call that programs use. */
import { useState } from 'react';
import { REPORTING_ERROR, REPORTS_ARE_BUSY } from '#src/features/reports/reports.contract.ts';
import { showToast } from '#src/ui/toast.ts';
import { NO_CONNECTION } from '#src/web/api-client.ts';

/** Posts `body` and gives the response to the browser as a download; returns the error message, or null. */
async function saveFile(path: string, body: object, fileName: string): Promise<string | null> {
  let response: Response;
  let bytes: Blob;
  try {
    response = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    bytes = await response.blob();
  } catch {
    return NO_CONNECTION;
  }
  if (!response.ok) return response.status === 503 ? REPORTS_ARE_BUSY : REPORTING_ERROR;
  const address = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return null;
}

/** `saveFile` for a button; shows errors in a toast. */
export function useReportFile() {
  const [isSaving, setSaving] = useState(false);
  async function save(path: string, body: object, fileName: string): Promise<void> {
    setSaving(true);
    const problem = await saveFile(path, body, fileName);
    setSaving(false);
    if (problem !== null) showToast(problem, 'error');
  }
  return { isSaving, save };
}
