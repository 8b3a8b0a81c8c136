/**
 * What every DNS provider must promise (`src/features/dns/providers/port.ts`), as one suite. Run it on each adapter, with its real
 * service or its fake: `dnsProviderContract('cloudflare', async () => ({ provider, zone, world, close }))`.
 */
import { describe } from 'vitest'
import { describeInDepth } from '../kit/in-depth.ts'
import { batchesContract } from './dns-provider/batches.ts'
import { extrasContract } from './dns-provider/extras.ts'
import { namesContract } from './dns-provider/names.ts'
import type { OpenProvider } from './dns-provider/opened.ts'
import { randomLifeContract } from './dns-provider/random-life.ts'
import { setsContract } from './dns-provider/sets.ts'
import { strangersContract } from './dns-provider/strangers.ts'
import { textsContract } from './dns-provider/texts.ts'
import { troubleContract } from './dns-provider/trouble.ts'

export function dnsProviderContract(name: string, open: OpenProvider): void {
  describe(`the contract of DNS providers: ${name}`, () => {
    describe('sets', () => setsContract(open))
    describe('names', () => namesContract(open))
    describe('texts', () => textsContract(open))
    describe('comments, proxy, stamp, zones', () => extrasContract(open))
    describe('strangers', () => strangersContract(open))
    describe('batches', () => batchesContract(open))
    describe('trouble', () => troubleContract(open))
    describeInDepth('a random life', () => randomLifeContract(open))
  })
}
