/** QR codes as drawings. The library is loaded only when a code is needed. */

/** Black on white with the quiet margin that cameras need; scales to any size. */
export async function qrSvg(text: string): Promise<string> {
  const { toString } = await import('qrcode');
  return toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
}
