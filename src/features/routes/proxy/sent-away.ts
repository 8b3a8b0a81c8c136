/**
 * Records without TLS on an entry point that sends every request elsewhere: they are written, loaded, and served nowhere. The API
 * of the proxy shows the router that is asked first; where the static file alone is known, that router is known by it.
 */
import type { DomainFields } from '../../../model/domain/record.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import type { Deps } from '../deps.ts'
import type { EntrypointLook } from './entrypoints.ts'
import type { Rival } from '../rival-schema.ts'

/** For a plan. */
export function plainHttpWarnings(
  { sent_away_from }: EntrypointLook,
  rows: readonly Pick<ReleaseRow, 'row'>[],
): readonly string[] {
  if (sent_away_from === null) return []
  return rows.flatMap(({ row }) =>
    row !== null && row.live && isPlainHttp(row.fields) ? [sentAway(row.fields.domain, sent_away_from)] : [],
  )
}

/** Released records that are sent away, by the static file alone: none where the API is asked, which shows them itself. */
export async function sentAwayRivals({
  store,
  proxy,
  http_entrypoint,
}: Pick<Deps, 'store' | 'proxy' | 'http_entrypoint'>): Promise<readonly Rival[]> {
  const door = (proxy.static_entrypoints ?? []).find(({ name }) => name === http_entrypoint)
  if (proxy.watch !== null || door?.redirects !== true) return []
  const { rows } = await store.intent('released')
  return rows
    .filter(({ live, fields }) => live && isPlainHttp(fields))
    .map(({ fields: { domain } }) => ({
      item: `http.routers.${proxy.routerNames(domain)[0]!}`,
      domains: [domain],
      stance: 'takes_all',
      provider: 'internal',
      router: null,
      file: null,
      rule: null,
      priority: null,
      detail: sentAway(domain, door.name),
    }))
}

const isPlainHttp = ({ protocol, service_type, ssl_enabled }: DomainFields): boolean =>
  protocol === 'http' && service_type !== 'manual' && !ssl_enabled

const sentAway = (domain: string, entrypoint: string): string =>
  `${domain} has ssl_enabled false, and the proxy sends every request on ${entrypoint} to another entry point, so nobody gets ` +
  'it: set ssl_enabled, or take the redirection from the entry point.'
