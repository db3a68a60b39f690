/** The report as a file, by the call that programs use. */
import { REPORTS_ARE_BUSY, type ReportBody } from '#src/features/reports/reports.contract.ts';
import { callDay, type DayRange } from '#src/shared/day-range.ts';
import { NO_CONNECTION } from '#src/web/api-client.ts';

/** Fetches the CSV and hands it to the browser as a download; returns what went wrong, in words, or null. */
export async function saveReport(
  affiliateId: number,
  range: DayRange | null,
  words: { failed: string; fileName: string },
): Promise<string | null> {
  const body: ReportBody = {
    responseType: 'csv',
    ...(range ? { start_date: callDay(range.from), end_date: callDay(range.to) } : {}),
  };
  return saveFile(`/api/v1/affiliates/${affiliateId}/reports`, body, words);
}

/** Posts `body` and hands the answer to the browser as a download. */
export async function saveFile(
  path: string,
  body: object,
  words: { failed: string; fileName: string },
): Promise<string | null> {
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
  if (!response.ok) return response.status === 503 ? REPORTS_ARE_BUSY : words.failed;
  const address = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href: address, download: words.fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return null;
}
