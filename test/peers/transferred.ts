/** One side of the contract's world for servers that give transfers: what `dig axfr` shows. */
import { fromPresentation } from '../contract/dns-provider/presentation.ts'
import type { World } from '../contract/dns-provider/opened.ts'
import { digZone, type TsigKey } from './dig.ts'

export const transferredRrset =
  (port: number, zone: string, key?: TsigKey): World['rrset'] =>
  async (name, type) => {
    const records = (await digZone(port, zone, key)).filter((one) => one.name === name && one.type === type)
    if (records.length === 0) return null
    const values = records.map(({ value }) => fromPresentation(type, value)).sort()
    return { ttl: records[0]!.ttl, values }
  }
