/** An authority's directory (RFC 8555 §7.1.1): where it is asked for what, and what it says of itself. */
import type { HttpReply } from '../../../ports/http-client.ts'
import { httpsUrl, type Json, objectIn, objectOf, strange, textOf } from './read-json.ts'

export interface Directory {
  readonly url: string
  /** As it came, for the library. */
  readonly body: Json
  readonly new_nonce: string
  readonly new_account: string
  /** Null where there is none (RFC 9773 §4.1). */
  readonly renewal_info: string | null
  /** Domain names, in small letters. */
  readonly caa_identities: readonly string[]
}

const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

/** Throws a Failure (`component_unavailable`) for what is no directory, or one that leads away from HTTPS. */
export function readDirectory(reply: HttpReply, url: string): Directory {
  const { host } = new URL(url)
  const body = objectIn(reply)
  const [new_nonce, new_account, new_order] = ['newNonce', 'newAccount', 'newOrder'].map((name) =>
    httpsUrl(body?.[name]),
  )
  if (body === null || !new_nonce || !new_account || !new_order)
    throw strange(host, 'something that is no ACME directory')
  return {
    url,
    body,
    new_nonce,
    new_account,
    renewal_info: httpsUrl(body['renewalInfo']),
    caa_identities: identitiesIn(objectOf(body['meta'])['caaIdentities']),
  }
}

const identitiesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).map((one) => textOf(one).toLowerCase()).filter((one) => NAME.test(one))
