/**
 * Looking for a sent message by its Message-ID (users.messages.list with `q=rfc822msgid:`). Needs a scope that reads:
 * gmail.readonly, gmail.modify or the full one; gmail.metadata takes no `q`.
 */
import { Failure } from '../../../../kernel/failure.ts'
import type { FoundMail } from '../../port.ts'
import { objectIn } from './token.ts'

/** The query's text. Gmail wants the id without its angle brackets; somebody may have thrown the message away. */
export const searchFor = (message_id: string): string =>
  new URLSearchParams({
    q: `rfc822msgid:${message_id.replace(/^<|>$/g, '')}`,
    maxResults: '1',
    includeSpamTrash: 'true',
  }).toString()

/** An empty result has no list at all. What is no result is not taken for an empty one. */
export function messageIn(text: string): FoundMail | 'absent' {
  const { messages, resultSizeEstimate } = objectIn(text)
  const [first] = Array.isArray(messages) ? (messages as readonly ({ id?: unknown } | null)[]) : []
  if (typeof first?.id === 'string') return { provider_id: first.id.slice(0, 200) }
  if (messages === undefined && typeof resultSizeEstimate === 'number') return 'absent'
  throw new Failure('component_unavailable', 'gmail: the answer to a search is no list; the API has changed.')
}
