/** The words of a server-sent event stream (WHATWG HTML §9.2). Pure. JSON has no line breaks, so one `data:` line does. */
import type { HintView, Missed } from '../../core/events/subscription.ts'

export interface EventHead {
  readonly id: number
  readonly kind: string
}

/** How long a browser waits before it connects again. */
const RETRY_MS = 2000

/**
 * Sent at once, so that the headers leave, too. The bare `id:` makes a reader that is cut off before its first event
 * come back with the right Last-Event-ID.
 */
export const opening = (seen: number, hello: Hello): string =>
  `retry: ${RETRY_MS}\nid: ${seen}\n\nevent: hello\ndata: ${JSON.stringify({ ...hello, event: seen })}\n\n`

/** Who speaks, and how far it is: told first, so that a reader sees at once whether what it shows is of today. */
export interface Hello {
  readonly version: string
  /** The newest; 0 before the first. */
  readonly release: number
}

export const eventText = (event: EventHead): string =>
  `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

/** Has no id: it is not in the trail. */
export const hintText = (hint: HintView): string => `event: ${hint.kind}\ndata: ${JSON.stringify(hint)}\n\n`

/** Has no id, either. */
export const missedText = (missed: Missed): string => `event: missed\ndata: ${JSON.stringify(missed)}\n\n`

/** A comment, which keeps proxies and readers from giving up on a quiet stream. */
export const HEARTBEAT = ': still here\n\n'
