/** Middlewares whose effect no test asks for: they are built as strictly as the others, and let everything pass. */
import { goRegexp } from '../go-regexp.ts'
import { usersOf } from './basic-auth.ts'
import { type Build, PASS, text, texts } from './context.ts'

const passing: Build = () => PASS

const rateLimit: Build = (config) => {
  const period = text(config, 'period')
  if (period.startsWith('-')) throw new Error(`negative value not valid for period: ${period}`)
  return PASS
}

const inFlightReq: Build = (config) => {
  const amount = (config['amount'] as number | undefined) ?? 0
  if (amount < 0) throw new Error(`invalid amount: ${amount}`)
  return PASS
}

const retry: Build = (config) => {
  const attempts = (config['attempts'] as number | undefined) ?? 0
  if (attempts <= 0) throw new Error('incorrect (or empty) value for attempt')
  return PASS
}

const compress: Build = (config) => {
  if (texts(config, 'excludedContentTypes').length > 0 && texts(config, 'includedContentTypes').length > 0)
    throw new Error('excludedContentTypes and includedContentTypes options are mutually exclusive')
  return PASS
}

const circuitBreaker: Build = (config) => {
  if (text(config, 'expression') === '') throw new Error('unable to create circuit breaker: empty expression')
  return PASS
}

const digestAuth: Build = (config) => {
  usersOf(config)
  return PASS
}

/** The page itself is not fetched: what the backend answers stands. */
const errors: Build = (config) => {
  for (const status of texts(config, 'status')) goRegexp(status)
  return PASS
}

const plugin: Build = (config, { plugins }) => {
  const [name = '', ...more] = Object.keys(config)
  if (more.length > 0) throw new Error('plugin: invalid plugin configuration: multiple plugins')
  if (!plugins.includes(name)) throw new Error(`plugin: unknown plugin type: ${name}`)
  return PASS
}

export const CHECKED: Readonly<Record<string, Build>> = {
  buffering: passing,
  circuitBreaker,
  compress,
  contentType: passing,
  digestAuth,
  encodedCharacters: passing,
  errors,
  grpcWeb: passing,
  inFlightReq,
  passTLSClientCert: passing,
  plugin,
  rateLimit,
  retry,
}
