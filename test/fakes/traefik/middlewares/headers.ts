/** Headers of questions and answers: custom ones always replace, an empty value takes away; CORS answers preflights itself. */
import type { Exchange } from '../traffic/exchange.ts'
import { reply } from '../traffic/exchange.ts'
import type { HeaderList } from '../traffic/header-list.ts'
import { type Build, type Config, flag, text } from './context.ts'
import { corsOf } from './cors.ts'

type Values = Readonly<Record<string, string>>

export const headers: Build = (config) => {
  if (Object.values(config).every((value) => value === false || value === '' || value === 0))
    throw new Error('headers configuration not valid')
  const cors = corsOf(config)
  const on_request = (config['customRequestHeaders'] as Values | undefined) ?? {}
  const on_answer = (config['customResponseHeaders'] as Values | undefined) ?? {}
  return (next) => (exchange) => {
    const preflight = cors?.preflight(exchange) ?? null
    if (preflight !== null) return reply(exchange, { status: 200, headers: preflight, body: '' })
    const onward = withHost(exchange, on_request)
    apply(onward.headers, on_request)
    onward.on_answer.push((list) => {
      apply(list, securityOf(config, exchange.is_secure))
      apply(list, on_answer)
      cors?.onAnswer(list, exchange)
    })
    return next(onward)
  }
}

/** A custom `Host` is the host for everything behind it. */
function withHost(exchange: Exchange, values: Values): Exchange {
  const host = Object.entries(values).find(([name]) => name.toLowerCase() === 'host')?.[1]
  return host === undefined ? exchange : { ...exchange, host }
}

function apply(list: HeaderList, values: Values): void {
  for (const [name, value] of Object.entries(values))
    if (name.toLowerCase() === 'host') continue
    else if (value === '') list.delete(name)
    else list.set(name, value)
}

const PLAIN = {
  contentSecurityPolicy: 'Content-Security-Policy',
  contentSecurityPolicyReportOnly: 'Content-Security-Policy-Report-Only',
  referrerPolicy: 'Referrer-Policy',
  permissionsPolicy: 'Permissions-Policy',
} as const

/** Strict transport security is said over TLS alone, unless it is forced. */
function securityOf(config: Config, is_secure: boolean): Values {
  const found: Record<string, string> = {}
  for (const [key, name] of Object.entries(PLAIN))
    if (text(config, key) !== '') found[name] = text(config, key)
  const frame = text(config, 'customFrameOptionsValue') || (flag(config, 'frameDeny') ? 'DENY' : '')
  if (frame !== '') found['X-Frame-Options'] = frame
  if (flag(config, 'contentTypeNosniff')) found['X-Content-Type-Options'] = 'nosniff'
  const xss =
    text(config, 'customBrowserXSSValue') || (flag(config, 'browserXssFilter') ? '1; mode=block' : '')
  if (xss !== '') found['X-XSS-Protection'] = xss
  const seconds = (config['stsSeconds'] as number | undefined) ?? 0
  if (seconds > 0 && (is_secure || flag(config, 'forceSTSHeader')))
    found['Strict-Transport-Security'] =
      `max-age=${seconds}` +
      (flag(config, 'stsIncludeSubdomains') ? '; includeSubDomains' : '') +
      (flag(config, 'stsPreload') ? '; preload' : '')
  return found
}
