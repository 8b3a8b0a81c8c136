/** Orders, authorisations and renewal windows as an authority writes them (RFC 8555 §7.1, RFC 9773 §4.2). */
import type { AcmeAuthorization, AcmeOrder, DnsChallenge, RenewalWindow } from './port.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import { problemOf } from './problem.ts'
import {
  httpsUrl,
  type Json,
  objectIn,
  objectOf,
  objectsOf,
  strange,
  textOf,
  timeOf,
  wordsOf,
} from './read-json.ts'

const ORDER = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const
const AUTHORIZATION = ['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked'] as const
const CHALLENGE = ['pending', 'processing', 'valid', 'invalid'] as const
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const MAX_AUTHORIZATIONS = 100

function oneOf<T extends string>(value: unknown, words: readonly T[]): T | null {
  return words.find((word) => word === value) ?? null
}

/** Throws a Failure (`component_unavailable`) for what is no order. */
export function readOrder(order: unknown, host: string, url: string): AcmeOrder {
  const body = objectOf(order)
  const status = oneOf(body['status'], ORDER)
  const finalize_url = httpsUrl(body['finalize'])
  const urls = Array.isArray(body['authorizations']) ? body['authorizations'].map(httpsUrl) : []
  const authorization_urls = urls.filter((one) => one !== null)
  if (status === null || finalize_url === null || authorization_urls.length !== urls.length)
    throw strange(host, 'something that is no order')
  if (urls.length > MAX_AUTHORIZATIONS) throw strange(host, `an order with ${urls.length} authorisations`)
  return {
    url,
    status,
    names: objectsOf(body['identifiers']).map(({ value }) => textOf(value).toLowerCase()),
    expires_at: timeOf(body['expires']),
    authorization_urls,
    finalize_url,
    certificate_url: httpsUrl(body['certificate']),
    error: errorIn(body),
  }
}

const errorIn = (body: Json): string | null =>
  body['error'] === undefined || body['error'] === null ? null : problemOf(objectOf(body['error'])).words

/** A DNS challenge before its key authorisation is known. */
export interface OfferedChallenge extends Omit<DnsChallenge, 'record_value'> {
  readonly token: string
}

export interface OfferedAuthorization extends Omit<AcmeAuthorization, 'dns'> {
  readonly offered: OfferedChallenge | null
}

/** Throws a Failure (`component_unavailable`) for what is no authorisation. */
export function readAuthorization(authorization: unknown, host: string, url: string): OfferedAuthorization {
  const body = objectOf(authorization)
  const status = oneOf(body['status'], AUTHORIZATION)
  const name = textOf(objectOf(body['identifier'])['value']).toLowerCase()
  if (status === null || !NAME.test(name)) throw strange(host, 'something that is no authorisation')
  const dns = objectsOf(body['challenges']).find(({ type }) => type === 'dns-01')
  const offered = dns === undefined ? null : challengeOf(dns, name)
  if (dns !== undefined && offered === null) throw strange(host, 'a malformed DNS challenge')
  return { url, status, name, wildcard: body['wildcard'] === true, offered }
}

function challengeOf(body: Json, name: string): OfferedChallenge | null {
  const url = httpsUrl(body['url'])
  const status = oneOf(body['status'], CHALLENGE)
  const token = textOf(body['token'])
  if (url === null || status === null || !/^[\w-]{1,512}$/.test(token)) return null
  return { url, status, token, record_name: `_acme-challenge.${name}`, error: errorIn(body) }
}

/** What a challenge says of itself, by its own URL. */
export const readChallengeStatus = (challenge: unknown): DnsChallenge['status'] | null =>
  oneOf(objectOf(challenge)['status'], CHALLENGE)

/** An empty window is an answer to be ignored (RFC 9773 §4.2): a Failure. */
export function readWindow(reply: HttpReply, host: string): RenewalWindow {
  const body = objectIn(reply) ?? {}
  const window = objectOf(body['suggestedWindow'])
  const start = timeOf(window['start'])
  const end = timeOf(window['end'])
  if (start === null || end === null || end <= start)
    throw strange(host, 'something that is no renewal window')
  const page = URL.parse(wordsOf(body['explanationURL']))
  const explained = page?.protocol === 'https:' || page?.protocol === 'http:'
  return {
    start,
    end,
    explanation_url: explained ? page.href : null,
    retry_after_ms: reply.retry_after_ms,
  }
}
