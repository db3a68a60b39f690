/**
 * Names that strangers choose (of a buyer, an organization, a gallery, a file) appear in emails that they can have sent to
 * anyone. A link among them would speak with our voice, and mail programs make one of every address they see.
 */
const LINKS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S*|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?::\d+)?\/\S*/giu;

/** The words without anything that reads as a web address; `…` replaces it. */
export function withoutLinks(words: string): string {
  return words.replaceAll(LINKS, '…');
}
