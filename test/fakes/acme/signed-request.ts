/** Checks a signed request as a strict authority does (RFC 8555 §6): type, members, nonce, address, key, signature. */
import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type PlainAnswer, problem } from './misconduct.ts'

export interface Account {
  readonly url: string
  readonly jwk: JsonWebKey
}

export interface Checked {
  /** Null for a POST-as-GET. */
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly jwk: JsonWebKey
  readonly kid: string | null
}

export interface Incoming {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** True where the key itself must be shown. */
  readonly by_key: boolean
}

export interface Registry {
  /** True once for each nonce that was given out. */
  takeNonce(nonce: string): boolean
  account(url: string): Account | null
}

const decoded = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>

/** What was signed, or the refusal. */
export function checkSigned(incoming: Incoming, registry: Registry): Checked | PlainAnswer {
  try {
    return check(incoming, registry)
  } catch {
    return problem('malformed', 'the body is no flattened JWS', { status: 400 })
  }
}

function check({ url, headers, body, by_key }: Incoming, registry: Registry): Checked | PlainAnswer {
  if (headers['content-type'] !== 'application/jose+json')
    return problem('malformed', 'Content-Type must be application/jose+json', { status: 415 })
  if ((headers['user-agent'] ?? '') === '')
    return problem('malformed', 'User-Agent is missing', { status: 400 })
  const jws = JSON.parse(body) as Record<string, string>
  if (Object.keys(jws).sort().join() !== 'payload,protected,signature') throw new Error('members')
  const head = decoded(jws['protected']!)
  const members = ['alg', by_key ? 'jwk' : 'kid', 'nonce', 'url'].sort().join()
  if (Object.keys(head).sort().join() !== members)
    return problem('malformed', `the protected header must hold ${members}`, { status: 400 })
  if (!registry.takeNonce(head['nonce'] as string))
    return problem('badNonce', 'the nonce is not one that was given out, or it was used', { status: 400 })
  if (head['url'] !== url)
    return problem('unauthorized', 'the url of the header is another one', { status: 401 })
  if (head['alg'] !== 'ES256') return problem('badSignatureAlgorithm', 'only ES256', { status: 400 })
  const kid = by_key ? null : (head['kid'] as string)
  const jwk = kid === null ? (head['jwk'] as JsonWebKey) : registry.account(kid)?.jwk
  if (jwk === undefined) return problem('accountDoesNotExist', 'no such account', { status: 400 })
  if ('d' in jwk) return problem('malformed', 'a private key was shown', { status: 400 })
  const signed = Buffer.from(`${jws['protected']}.${jws['payload']}`)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  if (
    !verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(jws['signature']!, 'base64url'))
  )
    return problem('malformed', 'the signature does not fit', { status: 400 })
  return { payload: jws['payload'] === '' ? null : decoded(jws['payload']!), jwk, kid }
}

/** What is wrong with an external account binding (§7.3.4), or null. */
export function bindingFault(
  binding: unknown,
  { url, jwk, keys }: { url: string; jwk: JsonWebKey; keys: Readonly<Record<string, string>> },
): string | null {
  const { protected: head = '', payload = '', signature } = (binding ?? {}) as Record<string, string>
  const { alg, kid, url: signed_url } = decoded(head)
  const secret = keys[String(kid)]
  if (secret === undefined) return 'unknown key id'
  if (alg !== 'HS256' || signed_url !== url) return 'wrong header'
  if (JSON.stringify(decoded(payload)) !== JSON.stringify(jwk)) return 'another key is bound'
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${head}.${payload}`)
  return hmac.digest('base64url') === signature ? null : 'the signature does not fit'
}
