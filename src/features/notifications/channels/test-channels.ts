/** A test to every channel, and how each went. Nothing is remembered of it and nothing repeated. */
import { randomUUID } from 'node:crypto'
import type { PlannedAnswer } from '../../../core/answers.ts'
import type { Caller } from '../../../core/caller.ts'
import { planOutside } from '../../../core/commit/plan-outside.ts'
import type { Core } from '../../../core/core.ts'
import type { Milliseconds } from '../../../kernel/clock.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Notifier } from './notifier.ts'
import type { Notifications } from '../notifications.ts'
import { testMessage } from '../message.ts'
import type { TestAnswer } from '../views.ts'

export interface TestedChannel extends Pick<Notifier, 'name' | 'kind' | 'target'> {
  readonly ok: boolean
  /** What went wrong, or a remark. */
  readonly detail: string | null
}

const WITHIN_MS: Milliseconds = 20_000

/** Within 20 seconds. */
export async function testChannels({ parts }: Notifications, signal: AbortSignal): Promise<TestAnswer> {
  const { notifiers } = parts
  const results = await Promise.all(notifiers.map((notifier) => tested(parts, notifier, signal)))
  return { success: results.length > 0 && results.every(({ ok }) => ok), results }
}

/** Who would be sent a test. Nothing is sent. */
export const planTest = (
  { parts }: Notifications,
  commit: Core['commit'],
  caller: Caller,
): Promise<PlannedAnswer> =>
  planOutside(commit, caller, {
    component: 'notifications',
    actions: parts.notifiers.map(({ name, target }) => ({
      verb: 'create',
      item: `test by ${name}`,
      before: null,
      after: target,
    })),
    warnings: parts.notifiers.length === 0 ? [NOBODY] : [],
    goes_on: 'waiting',
  })

const NOBODY = 'Nobody would be told: PLUMBLINE_NOTIFY_MAIL and PLUMBLINE_NOTIFY_WEBHOOK are not set.'

async function tested(
  { clock, source }: Notifications['parts'],
  notifier: Notifier,
  signal: AbortSignal,
): Promise<TestedChannel> {
  const { name, kind, target } = notifier
  const message = testMessage({ id: `test-${randomUUID()}`, at: clock.now(), source: source() })
  const send = async (ends: AbortSignal) => {
    const outcome = await notifier.send(message, ends)
    return { ok: outcome.kind === 'delivered', detail: outcome.detail }
  }
  const said = await withTimeout({ clock, ms: WITHIN_MS, signal }, send, () => LATE)
  return { name, kind, target, ...said }
}

const LATE = { ok: false, detail: `It is not known within ${WITHIN_MS / 1000} s whether it went out.` }
