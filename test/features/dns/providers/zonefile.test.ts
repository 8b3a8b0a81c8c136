/** The zonefile provider keeps the contract of DNS providers; BIND's own reader says what stands in the files. */
import { appendFileSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { describe } from 'vitest'
import { dnsProviderContract } from '../../../contract/dns-provider.ts'
import { batchesContract } from '../../../contract/dns-provider/batches.ts'
import type { OpenProvider } from '../../../contract/dns-provider/opened.ts'
import { fromPresentation, presentation } from '../../../contract/dns-provider/presentation.ts'
import { strangersContract } from '../../../contract/dns-provider/strangers.ts'
import { TIER } from '../../../kit/tier.ts'
import { runTool } from '../../../peers/peer.ts'
import { describePeers } from '../../../peers/peers.ts'
import { never, zoneFolder } from './zone-folder.ts'

const open: OpenProvider = async () => {
  const zone = `z${randomInt(1e9)}.example.org`
  const { provider, pathOf } = zoneFolder()
  await provider.makeZone(zone, never)
  return {
    provider,
    zone,
    world: {
      async look() {
        // -i none: names of mail and name servers are not looked up.
        const args = ['-i', 'none', '-o', '-', '-D', '-q', zone, pathOf(zone)]
        const records = (await runTool('named-checkzone', args))
          .split('\n')
          .map((line) => /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line))
          .filter((match) => match !== null)
        return (name, type) => {
          const found = records.filter((one) => one[1]!.toLowerCase() === `${name}.` && one[3] === type)
          if (found.length === 0) return null
          return {
            ttl: Number(found[0]![2]),
            values: found.map((match) => fromPresentation(type, match[4]!)),
          }
        }
      },
      async addForeign({ name, type, ttl, values }) {
        const lines = values.map((value) => `${name}. ${ttl} IN ${type} ${presentation(type, value)}\n`)
        appendFileSync(pathOf(zone), `; by hand\n${lines.join('')}`)
      },
    },
    close: async () => undefined,
  }
}

describePeers(['named-checkzone'], 'the zonefile provider', () => {
  if (TIER !== 'gate') return dnsProviderContract('zonefile', open)
  // The gate asks what would harm strangers, and whether what is said of a change is true.
  describe('the contract of DNS providers: zonefile', () => {
    describe('strangers', () => strangersContract(open))
    describe('batches', () => batchesContract(open))
  })
})
