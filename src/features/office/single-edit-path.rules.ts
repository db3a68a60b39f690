/** Where the Single User Update is. Alone, so that lists that lead there carry no form. */

type Edited = { id: number; domainName: string; parentOrganizationId: number | null };

/**
 * `/{label}/user/{id}/{domainName}/{pId}/edit`; a parent is its own `pId`. `label` is the affiliate whose pages the viewer
 * comes from, or the own name of the host's organization, which is on every host (rule 33).
 */
export function singleEditPath(label: string, { id, domainName, parentOrganizationId }: Edited): string {
  return `/${label}/user/${id}/${domainName}/${parentOrganizationId ?? id}/edit`;
}
