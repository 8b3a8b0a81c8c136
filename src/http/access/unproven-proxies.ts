/** Says once of each listed proxy that it does not prove itself: otherwise its callers are refused and nobody knows why. */
import type { Log } from '../../kernel/log.ts'
import type { Caller } from './caller.ts'

/** A listed network may hold more; whoever has read of so many knows. */
const MAX_REPORTED = 20

export function unprovenProxies(log: Log): (caller: Caller) => void {
  const reported = new Set<string>()
  return ({ unproven_proxy }) => {
    if (unproven_proxy === null || reported.size >= MAX_REPORTED || reported.has(unproven_proxy)) return
    reported.add(unproven_proxy)
    log.warn('a listed proxy does not prove itself, so what it says of its callers is not believed', {
      proxy: unproven_proxy,
      remedy: 'have it send the value of PLUMBLINE_PROXY_SECRET as the header X-Plumbline-Proxy-Secret',
    })
  }
}
