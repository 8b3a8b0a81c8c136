/**
 * What Traefik finds fault with: a file that it loaded whole can still hold a router that it serves nowhere. The overview
 * counts such objects, so that where there are none nothing else is asked.
 */
import type { ProxyFault } from './port.ts'
import type { Api } from './ask.ts'
import { readCounts } from './overview.ts'
import { readList } from './read-list.ts'
import { faultOf } from './shown.ts'
import { Faulty } from './wire.ts'

const PARTS = { routers: 'router', services: 'service', middlewares: 'middleware' } as const
const STATUSES = ['disabled', 'warning'] as const

/** @param search part of the names of those that are asked for */
export async function readFaults(
  api: Api,
  search: string,
  signal: AbortSignal,
): Promise<readonly ProxyFault[]> {
  const { faulty } = await readCounts(api, signal)
  const found: ProxyFault[] = []
  for (const kind of ['http', 'tcp'] as const)
    for (const [list, part] of Object.entries(PARTS))
      for (const status of STATUSES) {
        if (faulty.get(`${kind} ${list} ${status}`) === 0) continue
        const item = Faulty.transform((wire) => faultOf(part, wire))
        found.push(...(await readList(api, { path: `/api/${kind}/${list}`, item, search, status, signal })))
      }
  return found
}
