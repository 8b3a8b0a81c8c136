/** The headers that the proxy sets on the answers of a record's site. Pure. */
import { type ResponseHeader, responseHeaders } from '../../../model/domain/response-headers.ts'
import { type CatalogueEntry, catalogue } from './catalogue.ts'
import { SHARED } from '../render/names.ts'
import { sharedMiddlewares } from './middlewares.ts'
import type { PlainMap, RoutesSettings } from '../render/settings.ts'

/** @returns what the site of a record with these catalogue entries answers; CORS and the parts of an `spa` are beside it. */
export function siteHeaders(
  settings: RoutesSettings,
): (extras: readonly string[], tls: boolean) => readonly ResponseHeader[] {
  const entries = new Map(catalogue(settings).map((entry) => [entry.name, entry]))
  const built_in = sharedMiddlewares(settings)[SHARED.security_headers]['headers'] as PlainMap
  return (extras, tls) => {
    const used = extras.flatMap((name) => entries.get(name) ?? [])
    const at = (position: CatalogueEntry['position']): PlainMap[] =>
      used.flatMap((entry) => (entry.position === position && entry.type === 'headers' ? [entry.config] : []))
    return responseHeaders([...at('before_sso'), built_in, ...at('after_sso')], tls)
  }
}
