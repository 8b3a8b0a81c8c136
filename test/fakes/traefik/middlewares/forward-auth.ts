/** Asks another server whether a request may pass. It removes and sets only the headers that it is told of. */
import { goRegexp } from '../go-regexp.ts'
import { type Exchange, reply } from '../traffic/exchange.ts'
import { HeaderList, withoutHopByHop } from '../traffic/header-list.ts'
import { type Build, type Config, flag, text, texts } from './context.ts'

/** Without an end to its patience, as by default. */
const PATIENCE_MS = 30_000

export const forwardAuth: Build = (config, { ask }) => {
  const address = text(config, 'address')
  const source = text(config, 'authResponseHeadersRegex')
  const pattern = source === '' ? null : goRegexp(source)
  return (next) => async (exchange) => {
    const answer = await ask(address, {
      method: flag(config, 'preserveRequestMethod') ? exchange.method : 'GET',
      headers: questionOf(exchange, config),
      timeout_ms: PATIENCE_MS,
    }).catch(() => null)
    if (answer === null) return reply(exchange, { status: 500 })
    const limit = config['maxResponseBodySize'] as number | undefined
    if (limit !== undefined && limit >= 0 && answer.body.length > limit)
      return reply(exchange, { status: 401 })
    if (answer.status < 200 || answer.status >= 300) return refuse(exchange, answer, config)
    for (const name of texts(config, 'authResponseHeaders'))
      exchange.headers.set(name, ...answer.headers.all(name))
    if (pattern !== null) setMatching(exchange.headers, answer.headers, pattern)
    return next(exchange)
  }
}

interface Answered {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer
}

function refuse(exchange: Exchange, { status, headers, body }: Answered, config: Config): void {
  const copied = withoutHopByHop(headers)
  copied.delete('content-length')
  const location = headers.get('location')
  if (location !== '' && !flag(config, 'preserveLocationHeader'))
    copied.set('Location', new URL(location, text(config, 'address')).href)
  reply(exchange, { status, headers: copied, body })
}

function setMatching(onward: HeaderList, answered: HeaderList, pattern: RegExp): void {
  for (const name of Object.keys(onward.byName())) if (pattern.test(canonical(name))) onward.delete(name)
  for (const [name, values] of Object.entries(answered.byName()))
    if (pattern.test(canonical(name))) onward.set(name, ...values)
}

const canonical = (name: string): string => name.replaceAll(/(^|-)([a-z])/g, (all) => all.toUpperCase())

/** The request's own headers, and what the proxy says of it: words of others count only where they are trusted. */
function questionOf(exchange: Exchange, config: Config): HeaderList {
  const { headers, method, is_secure, host, url, address } = exchange
  const wanted = texts(config, 'authRequestHeaders')
  const all = withoutHopByHop(headers)
  for (const name of ['host', 'content-length', 'content-type']) if (name !== 'content-type') all.delete(name)
  const sent = wanted.length === 0 ? all : new HeaderList()
  for (const name of wanted) sent.set(name, ...all.all(name))
  const trusts = flag(config, 'trustForwardHeader')
  const say = (name: string, own: string) => sent.set(name, (trusts ? headers.get(name) : '') || own)
  say('X-Forwarded-Method', method)
  say('X-Forwarded-Proto', is_secure ? 'https' : 'http')
  say('X-Forwarded-Host', host)
  say('X-Forwarded-Uri', url)
  const before = trusts ? headers.all('x-forwarded-for') : []
  sent.set('X-Forwarded-For', [...before, address].join(', '))
  if (trusts) sent.set('X-Forwarded-Port', ...headers.all('x-forwarded-port'))
  return sent
}
