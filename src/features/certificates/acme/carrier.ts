/** Carries the library's requests of one call over the line, and holds what it must not decide by itself. */
import { Failure } from '../../../kernel/failure.ts'
import type { HttpReply } from '../../../ports/http-client.ts'
import { carriedBy, type LibraryReply, type LibraryRequest } from './library.ts'
import { isGood, type Line, nonceIn, type Wish } from './line.ts'
import { problemIn } from './problem.ts'
import { objectIn, strange, wordsOf } from './read-json.ts'

/**
 * Runs the library's part of a call. Throws a Failure for whatever the authority refuses or the library cannot read.
 *
 * - Its question for the directory is answered from the line, which has checked it.
 * - Its question for a nonce is answered from what earlier answers brought, which saves every second request.
 * - A refused nonce goes back to it, since it signs anew with the one that came along (at most five times).
 * - An account that was found looks to it like one that was made: it would send an update at once, which strict servers
 *   refuse where there is nothing to change.
 * - Every other refusal is thrown from below it, so that it is never retried, and never put into the library's words.
 */
export async function over<T>(line: Line, wish: Wish, work: () => Promise<T>): Promise<T> {
  const refused: HttpReply[] = []

  async function carry({ method, url, body }: LibraryRequest): Promise<LibraryReply> {
    const directory = await line.directory(wish.signal)
    if (url === directory.url) return { status: 200, headers: {}, data: { ...directory.body } }
    if (method === 'head')
      return { status: 200, headers: { 'replay-nonce': await line.nonce(wish.signal) }, data: '' }
    const reply = await line.post(url, body, wish.signal)
    if (isBadNonce(reply)) {
      line.forgetNonces()
      refused.push(reply)
    } else if (isGood(reply)) line.keepNonce(reply)
    else {
      line.keepNonce(reply)
      throw line.refusal(reply, wish)
    }
    const status = url === directory.new_account && isGood(reply) ? 201 : reply.status
    return { status, headers: withNonce(reply), data: objectIn(reply) ?? reply.text }
  }

  try {
    return await carriedBy(carry, work)
  } catch (error) {
    if (error instanceof Failure) throw error
    const last = refused.at(-1)
    if (last !== undefined) throw line.refusal(last, wish)
    const inside = error instanceof Error ? wordsOf(error.message) : ''
    throw strange(line.host, `something that makes no sense when it was asked to ${wish.doing}`, inside)
  }
}

const isBadNonce = (reply: HttpReply): boolean =>
  reply.status === 400 && problemIn(reply)?.type === 'badNonce'

function withNonce({ headers }: HttpReply): Readonly<Record<string, string>> {
  const { 'replay-nonce': _seen, ...others } = headers
  const nonce = nonceIn(headers)
  return nonce === null ? others : { ...others, 'replay-nonce': nonce }
}
