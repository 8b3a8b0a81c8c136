/** A look at a zone for somebody who waits for it: it ends in time, and one that did not is unknown. */
import { Failure } from '../../../kernel/failure.ts'
import { withTimeout } from '../../../kernel/async/with-timeout.ts'
import type { Intent } from '../../../model/intent.ts'
import type { Deps } from '../deps.ts'
import { MAX_LOOK_MS, type ZoneLook } from '../service.ts'

/** Only the end of `signal` is thrown. @param intent what it is compared with; left out, what is deployed */
export async function lookInTime(
  { store, dns, clock }: Pick<Deps, 'store' | 'dns' | 'clock'>,
  zone: string,
  signal: AbortSignal,
  intent?: Intent,
): Promise<ZoneLook> {
  const unknown = (detail: string) => ({ known: false, key: dns.keyOf(zone), detail }) as const
  const look = async (ends: AbortSignal) => dns.look(zone, intent ?? (await store.intent('released')), ends)
  const late = () => unknown(`dns: ${zone} did not answer within ${MAX_LOOK_MS} ms.`)
  try {
    return await withTimeout({ clock, ms: MAX_LOOK_MS, signal }, look, late)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    return unknown(error.message)
  }
}
