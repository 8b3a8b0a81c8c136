/** A test to every channel, and how each went. Nothing is remembered of it and nothing repeated. */
import { randomUUID } from 'node:crypto'
import type { Milliseconds } from '../../kernel/clock.ts'
import type { Notifier } from '../../ports/notifier.ts'
import type { Notifications } from './desk.ts'
import { testMessage } from './message.ts'

export interface TestedChannel extends Pick<Notifier, 'name' | 'kind' | 'target'> {
  readonly ok: boolean
  /** What went wrong, or a remark. */
  readonly detail: string | null
}

export interface TestAnswer {
  /** All of them; false where there is none. */
  readonly success: boolean
  readonly results: readonly TestedChannel[]
}

const WITHIN_MS: Milliseconds = 20_000

/** Within 20 seconds. */
export async function testChannels({ parts }: Notifications, signal: AbortSignal): Promise<TestAnswer> {
  const { notifiers } = parts
  const results = await Promise.all(notifiers.map((notifier) => tested(parts, notifier, signal)))
  return { success: results.length > 0 && results.every(({ ok }) => ok), results }
}

async function tested(
  { clock, source }: Notifications['parts'],
  notifier: Notifier,
  signal: AbortSignal,
): Promise<TestedChannel> {
  const { name, kind, target } = notifier
  const over = new AbortController()
  const bounded = AbortSignal.any([signal, over.signal])
  const message = testMessage({ id: `test-${randomUUID()}`, at: clock.now(), source: source() })
  const sent = notifier.send(message, bounded).then(
    (outcome) => ({ ok: outcome.kind === 'delivered', detail: outcome.detail }),
    (error: unknown) => {
      signal.throwIfAborted()
      if (over.signal.aborted) return LATE
      throw error
    },
  )
  const late = clock.sleep(WITHIN_MS, bounded).then(() => LATE)
  late.catch(() => undefined)
  try {
    return { name, kind, target, ...(await Promise.race([sent, late])) }
  } finally {
    over.abort()
    sent.catch(() => undefined)
  }
}

const LATE = { ok: false, detail: `It is not known within ${WITHIN_MS / 1000} s whether it went out.` }
