/** From an authority's refusal to a Failure: its words, its problem type (RFC 8555 §6.7), and what would help. */
import { Failure, type FailureCode } from '../../../kernel/failure.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import { type Json, objectIn, objectOf, objectsOf, textOf, wordsOf } from './read-json.ts'

export interface Problem {
  /** `caa`, without its URN prefix; the whole of it where it is not ACME's. */
  readonly type: string
  /** In the authority's words, each part with its own type. */
  readonly words: string
}

const PREFIX = 'urn:ietf:params:acme:error:'
const MAX_PARTS = 5

/** Null for an answer that is no problem document. */
export function problemIn(reply: HttpReply): Problem | null {
  const body = objectIn(reply)
  return body === null || textOf(body['type']) === '' ? null : problemOf(body)
}

export function problemOf(body: Json): Problem {
  const type = shortType(body)
  const detail = wordsOf(body['detail']) || 'no reason was given'
  const parts = objectsOf(body['subproblems']).slice(0, MAX_PARTS).map(partOf)
  return { type, words: [`${detail} (${type})`, ...parts].join('; ') }
}

function partOf(part: Json): string {
  const name = wordsOf(objectOf(part['identifier'])['value'])
  return `${name === '' ? '' : `${name}: `}${wordsOf(part['detail'])} (${shortType(part)})`
}

function shortType(body: Json): string {
  const type = wordsOf(body['type'])
  return (type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type) || 'unknown'
}

export interface Refused {
  /** The authority's host. */
  readonly host: string
  /** What was asked of it, as a verb: `order a certificate for app.example.com`. */
  readonly doing: string
  /** True when the account itself was asked for, so that a refusal is about it. */
  readonly about_account: boolean
}

export function refusal(reply: HttpReply, { host, doing, about_account }: Refused): Failure {
  const problem = problemIn(reply)
  const code = codeOf(reply.status, problem?.type ?? '', about_account)
  const words = problem?.words ?? `it answered ${reply.status} without a reason`
  const wait = reply.retry_after_ms
  const asked = wait === null ? '' : ` It asks to wait ${Math.ceil(wait / 1000)} s.`
  const cure = CURES[problem?.type ?? ''] ?? ''
  return new Failure(code, `${host} did not ${doing}: ${words}.${asked}${cure && ` ${cure}`}`, {
    facts: { problem: problem?.type ?? null, status: reply.status },
    ...(wait === null ? {} : { retry_after_ms: wait }),
  })
}

/** Types that say nothing about the request itself: the same one may be taken later. */
const PASSING = ['serverInternal', 'badNonce', 'orderNotReady']
const ABOUT_ACCOUNT = ['accountDoesNotExist', 'externalAccountRequired', 'unauthorized']
/** What servers answer to a key or binding that they do not know. */
const BAD_BINDING = ['malformed', 'badSignatureAlgorithm', 'badPublicKey']

function codeOf(status: number, type: string, about_account: boolean): FailureCode {
  if (type === 'rateLimited' || status === 429) return 'provider_busy'
  if (type === '' || status >= 500 || PASSING.includes(type)) return 'component_unavailable'
  if (ABOUT_ACCOUNT.includes(type)) return 'provider_credentials'
  return about_account && BAD_BINDING.includes(type) ? 'provider_credentials' : 'provider_refused'
}

const CURES: Readonly<Record<string, string>> = {
  accountDoesNotExist: 'The account key is not known there any more; it is registered anew at the next try.',
  externalAccountRequired: 'Set the key id and HMAC key that the authority gives out for external accounts.',
  caa: 'Allow the authority by a CAA record at the name or above it.',
  userActionRequired: 'Its terms have changed: follow the address in its words.',
  badNonce: 'It refused every fresh nonce; try again later.',
  rejectedIdentifier: 'The authority does not issue for such a name.',
}

/** Predecessors are named in refusals in these words by the servers that know renewal information. */
const ABOUT_REPLACES = /replac|\bARI\b|CertID|predecessor/i

/** RFC 9773 §5 asks for 409 alreadyReplaced; for a predecessor that they do not know, servers have words of their own. */
export function refusedReplacing(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const { problem, status } = error.details.facts ?? {}
  const just_that =
    problem === 'alreadyReplaced' ||
    (typeof problem === 'string' && Number(status) < 500 && ABOUT_REPLACES.test(error.message))
  return just_that && error.code !== 'provider_busy'
    ? new Failure('conflict', error.message, error.details)
    : error
}
