/** One side of the contract's world for servers that give transfers: what `dig axfr` shows. */
import { fromPresentation } from '../contract/dns-provider/presentation.ts'
import type { World } from '../contract/dns-provider/opened.ts'
import { digZone, type TsigKey } from './dig.ts'

export const transferred =
  (port: number, zone: string, key?: TsigKey): World['look'] =>
  async () => {
    const records = await digZone(port, zone, key)
    return (name, type) => {
      const set = records.filter((one) => one.name === name && one.type === type)
      if (set.length === 0) return null
      return { ttl: set[0]!.ttl, values: set.map(({ value }) => fromPresentation(type, value)).sort() }
    }
  }
