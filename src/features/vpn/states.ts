/** What the states of sites come to: which of them count, and whether their peers are known. Pure. */
import { Failure } from '../../kernel/failure.ts'
import type { GatewayInterface } from './model/export.ts'
import type { SiteState } from './site.ts'

export const configuredOf = (states: readonly SiteState[]): readonly SiteState[] =>
  states.filter(({ status }) => status !== 'not_configured')

/** Whether all peers are known as of now; null where nothing is configured. */
export function completeOf(states: readonly SiteState[]): boolean | null {
  const configured = configuredOf(states)
  return configured.length === 0 ? null : configured.every(({ status }) => status === 'ok')
}

export const wordsOf = ({ site, detail }: SiteState): string => `${site.name}: ${detail}`

/** As it was read last. Throws `component_unavailable` for a site that is not configured, or was never read. */
export function serverOf({ site, server, detail, status }: SiteState): GatewayInterface {
  if (status === 'not_configured')
    throw new Failure('component_unavailable', `The VPN site ${site.name} is not configured: ${detail}`)
  if (server === null)
    throw new Failure('component_unavailable', `The peers of ${site.name} are not known: ${detail}`)
  return server
}

/** Throws `component_unavailable` where no site that counts was ever read: what nobody could read is not an empty list. */
export function assertKnown(states: readonly SiteState[]): void {
  const configured = configuredOf(states)
  if (configured.length === 0 || configured.some(({ server }) => server !== null)) return
  const why = configured.map(wordsOf).join(' ')
  throw new Failure('component_unavailable', `No gateway was read yet, so no peer is known. ${why}`)
}
