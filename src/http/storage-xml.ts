/** Answers to uploads, in S3's XML. */

type Stored = { location: string; bucket: string; key: string; etag: string };

export const XML_TYPE = 'application/xml';

export function storedXml({ location, bucket, key, etag }: Stored): string {
  return document('PostResponse', { Location: location, Bucket: bucket, Key: key, ETag: etag });
}

export function errorXml(code: string, message: string, requestId: string): string {
  return document('Error', { Code: code, Message: message, RequestId: requestId });
}

function document(root: string, elements: Record<string, string>): string {
  const inside = Object.entries(elements).map(([name, value]) => `<${name}>${escaped(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${inside.join('')}</${root}>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** XML 1.0 has no way to write most control characters; they become U+FFFD. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      // oxlint-disable-next-line no-control-regex -- the characters that XML forbids are control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
