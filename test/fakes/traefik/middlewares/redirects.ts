/** Redirects to another scheme or another URL; what is there already goes on. */
import { goRegexp, goReplace } from '../go-regexp.ts'
import { type Exchange, reply } from '../traffic/exchange.ts'
import { type Build, flag, text } from './context.ts'

/** The port is that of the scheme, unless the middleware says one. */
export const redirectScheme: Build = (config) => {
  const scheme = text(config, 'scheme')
  if (scheme === '') throw new Error('you must provide a target scheme')
  const port = text(config, 'port')
  const usual = { http: '80', https: '443' }[scheme]
  const suffix = port === '' || port === usual ? '' : `:${port}`
  return (next) => (exchange) => {
    const from = fullUrl(exchange)
    const [, host = '', rest = ''] = /^https?:\/\/(\[[^\]]*\]|[^:/?]*)(?::\d+)?([^]*)$/.exec(from) ?? []
    const to = `${scheme}://${host}${suffix}${rest}`
    return to === from ? next(exchange) : redirect(exchange, to, flag(config, 'permanent'))
  }
}

/** Matched against the full URL. */
export const redirectRegex: Build = (config) => {
  const pattern = goRegexp(text(config, 'regex'))
  const replacement = text(config, 'replacement')
  return (next) => (exchange) => {
    const from = fullUrl(exchange)
    if (!pattern.test(from)) return next(exchange)
    const to = goReplace(pattern, from, replacement)
    return to === from ? next(exchange) : redirect(exchange, to, flag(config, 'permanent'))
  }
}

function redirect(exchange: Exchange, location: string, is_permanent: boolean): void {
  const keeps_method = exchange.method !== 'GET'
  const status = is_permanent ? (keeps_method ? 308 : 301) : keeps_method ? 307 : 302
  reply(exchange, { status, headers: { location } })
}

function fullUrl({ is_secure, host, url }: Exchange): string {
  const scheme = is_secure ? 'https' : 'http'
  const usual = is_secure ? /:443$/ : /:80$/
  return `${scheme}://${host.replace(usual, '')}${url}`
}
