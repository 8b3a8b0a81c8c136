/** What became of a record, in the words of the answer: only what was done. Pure. */
import type { IntentRow } from '../intent.ts'

export type StatusVerb = 'activate' | 'deactivate' | 'disable'

export interface RecordOutcome {
  /** Activation: as it is deployed now. Else: as it was deployed before; undefined where nothing of it was. */
  readonly row: IntentRow | undefined
  readonly domain: string
}

/** @param is_loaded said of what takes a route away; false: the proxy goes on with the file of before; null: it does not answer */
export function outcomeWords(
  verb: StatusVerb | 'delete' | 'deploy' | 'expose',
  { row, domain }: RecordOutcome,
  is_loaded: boolean | null = true,
): string {
  const is_elsewhere = row?.fields.service_type === 'manual'
  switch (verb) {
    case 'activate':
      return `${domain} is active${is_elsewhere ? `; ${ELSEWHERE}` : ' and deployed'}.`
    case 'deploy':
      return is_elsewhere ? `${domain}: ${ELSEWHERE}.` : `Deployed ${domain}.`
    case 'expose':
      return is_elsewhere ? `${domain} is active; ${ELSEWHERE}.` : `${domain} is live.`
    case 'deactivate':
      return `${domain} is inactive; ${routeWords(row, is_loaded)}.`
    case 'disable':
      return `${domain} is disabled for good; ${routeWords(row, is_loaded)}.`
    case 'delete':
      return `Deleted ${domain}; ${routeWords(row, is_loaded)}.`
  }
}

const ELSEWHERE = 'it is managed elsewhere, so no route and no DNS record of it are kept here'

/** The sentences of a call that takes a route away. */
export const closingWords = (
  verb: 'deactivate' | 'disable' | 'delete',
  became: RecordOutcome,
  then = '',
) => ({
  message: outcomeWords(verb, became) + then,
  ...(hasRoute(became.row) && {
    unless_loaded: {
      not_loaded: outcomeWords(verb, became, false) + then,
      not_known: outcomeWords(verb, became, null) + then,
    },
  }),
})

/** Whether the routes file may have one, now or before. */
const hasRoute = (row: IntentRow | undefined): boolean =>
  row !== undefined && row.fields.service_type !== 'manual'

function routeWords(row: IntentRow | undefined, is_loaded: boolean | null): string {
  if (row === undefined) return 'nothing of it was deployed'
  if (row.fields.service_type === 'manual') return 'it is managed elsewhere, so there was no route of ours'
  if (is_loaded === true) return row.live ? 'its route is removed' : 'it had no route'
  if (is_loaded === null)
    return row.live
      ? 'its route is out of the routes file, and it is not known whether the proxy has loaded that'
      : 'the routes file has no route of it, and it is not known whether the proxy has loaded that file'
  return row.live
    ? 'its route is out of the routes file, but the proxy has not loaded that and goes on serving it'
    : 'the routes file has no route of it, but the proxy has not loaded that file and may still serve one'
}
