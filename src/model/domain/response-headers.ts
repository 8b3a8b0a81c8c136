/**
 * What `headers` middlewares of the proxy make of the headers of an answer. Pure. Each replaces what the backend said; of several
 * the outermost has the last word.
 */
export interface ResponseHeader {
  readonly name: string
  /** Null: taken away. */
  readonly value: string | null
}

export type HeadersConfig = Readonly<Record<string, unknown>>

const PLAIN: readonly (readonly [string, string])[] = [
  ['contentSecurityPolicy', 'Content-Security-Policy'],
  ['contentSecurityPolicyReportOnly', 'Content-Security-Policy-Report-Only'],
  ['permissionsPolicy', 'Permissions-Policy'],
  ['referrerPolicy', 'Referrer-Policy'],
]

/**
 * @param configs outermost first; names of fields in any case, values as they are or as text
 * @param tls whether the answer goes over TLS: without it nothing is said of HSTS, unless it is forced
 */
export function responseHeaders(configs: readonly HeadersConfig[], tls: boolean): readonly ResponseHeader[] {
  const final = new Map<string, ResponseHeader>()
  for (const config of configs.toReversed())
    for (const header of headersOf(config, tls)) final.set(header.name.toLowerCase(), header)
  return [...final.values()].toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

function headersOf(config: HeadersConfig, tls: boolean): readonly ResponseHeader[] {
  const fields = new Map(Object.entries(config).map(([key, value]) => [key.toLowerCase(), value]))
  const text = (key: string): string => textOf(fields.get(key.toLowerCase()))
  const flag = (key: string): boolean => /^(?:1|t|true)$/i.test(text(key))
  const found: ResponseHeader[] = []
  const say = (name: string, value: string): void => {
    if (value !== '') found.push({ name, value })
  }
  for (const [key, name] of PLAIN) say(name, text(key))
  say('X-Frame-Options', text('customFrameOptionsValue') || (flag('frameDeny') ? 'DENY' : ''))
  say('X-Content-Type-Options', flag('contentTypeNosniff') ? 'nosniff' : '')
  say('X-XSS-Protection', text('customBrowserXSSValue') || (flag('browserXssFilter') ? '1; mode=block' : ''))
  if (Number(text('stsSeconds')) > 0 && (tls || flag('forceSTSHeader')) && !flag('isDevelopment'))
    say(
      'Strict-Transport-Security',
      `max-age=${text('stsSeconds')}` +
        (flag('stsIncludeSubdomains') ? '; includeSubDomains' : '') +
        (flag('stsPreload') ? '; preload' : ''),
    )
  const custom = fields.get('customresponseheaders')
  if (typeof custom === 'object' && custom !== null)
    for (const [name, value] of Object.entries(custom)) found.push({ name, value: textOf(value) || null })
  return found
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
