/** A look at a zone for somebody who waits for it: it ends in time, and one that did not is unknown. */
import { deadlineSignal } from '../../kernel/deadline.ts'
import { Failure } from '../../kernel/failure.ts'
import { untilAborted } from '../../kernel/until-aborted.ts'
import type { Intent } from '../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { LOOK_MOST_MS, type ZoneLook } from './desk.ts'

/** Only the end of `signal` is thrown. @param intent what it is compared with; left out, what is deployed */
export async function lookInTime(
  { store, dns, clock }: Pick<Deps, 'store' | 'dns' | 'clock'>,
  zone: string,
  signal: AbortSignal,
  intent?: Intent,
): Promise<ZoneLook> {
  const deadline = deadlineSignal(clock, LOOK_MOST_MS)
  const ends = AbortSignal.any([signal, deadline.signal])
  const unknown = (detail: string) => ({ known: false, key: dns.keyOf(zone), detail }) as const
  try {
    const edition = intent ?? (await store.intent('released'))
    return await untilAborted(dns.look(zone, edition, ends), ends)
  } catch (error) {
    if (signal.aborted) throw error
    if (deadline.signal.aborted) return unknown(`dns: ${zone} did not answer within ${LOOK_MOST_MS} ms.`)
    if (error instanceof Failure) return unknown(error.message)
    throw error
  } finally {
    deadline.end()
  }
}
