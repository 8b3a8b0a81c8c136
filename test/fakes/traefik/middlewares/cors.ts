/** As soon as any CORS field is set, preflights are answered here, also for an origin that does not match. */
import { goRegexp } from '../go-regexp.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { HeaderList } from '../traffic/header-list.ts'
import { type Config, flag, texts } from './context.ts'

interface Cors {
  /** Null: this is no preflight. */
  preflight(exchange: Exchange): Readonly<Record<string, string>> | null
  onAnswer(headers: HeaderList, exchange: Exchange): void
}

export function corsOf(config: Config): Cors | null {
  if (!Object.keys(config).some((key) => key.startsWith('accessControl') || key === 'addVaryHeader'))
    return null
  const origins = texts(config, 'accessControlAllowOriginList')
  const patterns = texts(config, 'accessControlAllowOriginListRegex').map(goRegexp)
  const has_credentials = flag(config, 'accessControlAllowCredentials')
  const allowed = (origin: string): string | null => {
    if (origins.includes('*')) return has_credentials ? origin : '*'
    return origins.includes(origin) || patterns.some((pattern) => pattern.test(origin)) ? origin : null
  }
  return {
    preflight({ method, headers }) {
      const origin = headers.get('origin')
      if (method !== 'OPTIONS' || origin === '' || !headers.has('access-control-request-method')) return null
      const max_age = config['accessControlMaxAge'] as number | undefined
      return {
        ...named('Access-Control-Allow-Origin', allowed(origin)),
        ...named('Access-Control-Allow-Credentials', has_credentials ? 'true' : null),
        ...named('Access-Control-Allow-Headers', listed(config, 'accessControlAllowHeaders')),
        ...named('Access-Control-Allow-Methods', listed(config, 'accessControlAllowMethods')),
        ...named('Access-Control-Max-Age', max_age === undefined ? null : String(max_age)),
      }
    },
    onAnswer(headers, exchange) {
      const origin = allowed(exchange.headers.get('origin'))
      if (origin !== null && origin !== '') headers.set('Access-Control-Allow-Origin', origin)
      if (has_credentials) headers.set('Access-Control-Allow-Credentials', 'true')
      const exposed = listed(config, 'accessControlExposeHeaders')
      if (exposed !== null) headers.set('Access-Control-Expose-Headers', exposed)
      if (flag(config, 'addVaryHeader')) headers.append('Vary', 'Origin')
    },
  }
}

const named = (name: string, value: string | null): Record<string, string> =>
  value === null ? {} : { [name]: value }

function listed(config: Config, key: string): string | null {
  const values = texts(config, key)
  return values.length === 0 ? null : values.join(',')
}
