/** What runs and has no domain, and domains that lead to nothing, as words and addresses. */
import type { Discovery } from '../../api/types.ts'
import type { AtNothing } from './nothing.ts'

export type NotExposed = NonNullable<Discovery['not_exposed']>[number]

/** New domain with its name and target filled in; null where nothing can be suggested. */
export function newDomainAddress({ suggestion }: Pick<NotExposed, 'suggestion'>): string | null {
  if (suggestion === null) return null
  const { domain, backend_host, backend_port } = suggestion.body
  const host = backend_host.includes(':') ? `[${backend_host}]` : backend_host
  return `/domains/new?${new URLSearchParams({ name: domain, target: `${host}:${backend_port}` }).toString()}`
}

const LIKELY = { high: 0, medium: 1, low: 2 } as const
export const likelihoodRank = ({ likelihood }: Pick<NotExposed, 'likelihood'>): number => LIKELY[likelihood]

const REASONS: Readonly<Record<AtNothing['reason'], string>> = {
  no_such_address: 'Nobody has that address.',
  offline: 'Who has that address is offline.',
  port_not_published: 'That port is not published.',
  not_running: 'It does not run.',
  no_such_container: 'There is no container of that name.',
}

export const nothingWords = ({ reason }: Pick<AtNothing, 'reason'>): string => REASONS[reason]
