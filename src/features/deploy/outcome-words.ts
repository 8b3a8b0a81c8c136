/** What became of a record, in the words of the answer: only what was done to it. Pure. */
import type { IntentRow } from '../../model/intent.ts'

export type StatusVerb = 'activate' | 'deactivate' | 'disable'

export interface Became {
  /** Activation: as it is deployed now. Else: as it was deployed before; undefined where nothing of it was. */
  readonly row: IntentRow | undefined
  readonly domain: string
}

export function outcomeWords(
  verb: StatusVerb | 'delete' | 'deploy' | 'expose',
  { row, domain }: Became,
): string {
  const is_elsewhere = row?.fields.service_type === 'manual'
  switch (verb) {
    case 'activate':
      return `${domain} is active${is_elsewhere ? `; ${ELSEWHERE}` : ' and deployed'}.`
    case 'deploy':
      return is_elsewhere ? `${domain}: ${ELSEWHERE}.` : `Deployed ${domain}.`
    case 'expose':
      return is_elsewhere ? `${domain} is active; ${ELSEWHERE}.` : `${domain} is exposed.`
    case 'deactivate':
      return `${domain} is inactive; ${routeWords(row, ', its DNS records are kept')}.`
    case 'disable':
      return `${domain} is disabled for good; ${routeWords(row, '')}.`
    case 'delete':
      return `Deleted ${domain}; ${routeWords(row, '')}.`
  }
}

const ELSEWHERE = 'it is managed elsewhere, so no route and no DNS record of it are kept here'

function routeWords(row: IntentRow | undefined, kept: string): string {
  if (row === undefined) return 'nothing of it was deployed'
  if (row.fields.service_type === 'manual') return 'it is managed elsewhere, so there was no route of ours'
  return row.live ? `its route is removed${kept}` : `it had no route${kept}`
}
