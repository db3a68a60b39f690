/** The report as a file, by the call that programs use. */
import type { ReportBody } from '#src/features/reports/reports.contract.ts';
import { callDay, type DayRange } from '#src/shared/day-range.ts';
import { NO_CONNECTION } from '#src/web/api-client.ts';

/** Fetches the CSV and hands it to the browser as a download; answers what went wrong, in words, or null. */
export async function saveReport(
  affiliateId: number,
  range: DayRange | null,
  words: { failed: string; fileName: string },
): Promise<string | null> {
  const body: ReportBody = {
    responseType: 'csv',
    ...(range ? { start_date: callDay(range.from), end_date: callDay(range.to) } : {}),
  };
  let response: Response;
  try {
    response = await fetch(`/api/v1/affiliates/${affiliateId}/reports`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    return NO_CONNECTION;
  }
  if (!response.ok) return words.failed;
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: words.fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return null;
}
