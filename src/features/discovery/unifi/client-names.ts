/** Names of clients at a UniFi controller: its client objects (`rest/user`), read afresh and renamed one by one. */
import { Failure } from '../../../kernel/failure.ts'
import { asText, type Json } from '../../../kernel/text/lenient.ts'
import type { ClientNames, KeptClient, NamesAnswer } from '../model/names-port.ts'
import { Unusable } from '../model/unusable.ts'
import type { UnifiSession } from './session.ts'

export function clientNames(name: string, session: UnifiSession): ClientNames {
  const path = (site: string, id?: string) =>
    `/api/s/${encodeURIComponent(site)}/rest/user${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  return {
    name,
    all: (site, signal) =>
      answered(name, signal, async () => {
        const rows = await session.data({ method: 'GET', path: path(site), signal })
        return rows.flatMap((row) => keptClient(row) ?? [])
      }),
    one: (site, id, signal) =>
      answered(name, signal, async () => {
        const rows = await session.data({ method: 'GET', path: path(site, id), signal })
        return rows.map(keptClient).find((client) => client?.id === id) ?? null
      }),
    rename: (site, id, to, signal) =>
      answered(name, signal, async () => {
        await session.data({ method: 'PUT', path: path(site, id), json: { _id: id, name: to }, signal })
        return true as const
      }),
  }
}

async function answered<T>(
  name: string,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<NamesAnswer<T>> {
  try {
    return { known: true, value: await ask() }
  } catch (error) {
    if (isTimeout(signal)) return { known: false, refused: false, detail: `${name} did not answer in time.` }
    if (signal.aborted) throw signal.reason
    if (!(error instanceof Unusable) && !(error instanceof Failure)) throw error
    const refused = error instanceof Unusable && error.reason === 'refused'
    return { known: false, refused, detail: `${name}: ${error.message}` }
  }
}

/** The time that a look or a write may take is over: nobody has gone away. */
const isTimeout = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === 'TimeoutError'

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/

function keptClient(row: Json): KeptClient | null {
  const [id, mac] = [asText(row['_id']), asText(row['mac'])?.toLowerCase().replaceAll('-', ':') ?? '']
  if (id === null || !MAC.test(mac)) return null
  return { id, mac, name: asText(row['name']), hostname: asText(row['hostname']) }
}
