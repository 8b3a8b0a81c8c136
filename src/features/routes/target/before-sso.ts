/**
 * What an own middleware must not do in front of the SSO check. Pure.
 *
 * The attack: the check describes the request to the provider by these headers, and Traefik believes those that are there.
 * A middleware that says `X-Forwarded-Host: open.example.com`, or sets `Host`, makes the provider judge another request than
 * the one that is served; one that says `Cookie` or `Authorization` signs everybody in, or nobody. So does a password whose
 * `headerField` is one of them: whoever may choose a user's name chooses the host.
 */
import { isMap } from '../opens/config-check.ts'
import type { PlainMap } from '../render/settings.ts'

const EVALUATED_BY =
  /^(?:x-forwarded-.*|x-original-.*|forwarded|host|cookie|connection|(?:proxy-)?authorization|remote-.*)$/i

/** Types that put the name of whoever they let in into a header of the operator's choice. */
const NAMING: readonly string[] = ['basicAuth', 'digestAuth', 'forwardAuth']

/** Who it is, which the check says anew and no provider goes by. */
const IDENTITY = /^(?:remote-|x-forwarded-(?:user|groups?|email|name|preferred-username)$)/i

/** Names of headers that it sets and that the check goes by. */
export function trickHeaders(type: string, config: PlainMap): readonly string[] {
  const { customRequestHeaders, authResponseHeaders, authResponseHeadersRegex: pattern, headerField } = config
  const set =
    type === 'headers' && isMap(customRequestHeaders)
      ? Object.keys(customRequestHeaders)
      : type === 'forwardAuth' && Array.isArray(authResponseHeaders)
        ? (authResponseHeaders as readonly unknown[]).filter((name) => typeof name === 'string')
        : []
  // Which headers a pattern takes over is another program's reading of it.
  const by_pattern =
    type === 'forwardAuth' && typeof pattern === 'string' && pattern !== ''
      ? [`whatever fits ${pattern}`]
      : []
  const named =
    NAMING.includes(type) && typeof headerField === 'string' && !IDENTITY.test(headerField.trim())
      ? [headerField]
      : []
  return [...[...set, ...named].filter((name) => EVALUATED_BY.test(name.trim())), ...by_pattern]
}
