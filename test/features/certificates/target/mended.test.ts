/** Key and chain are what was written, byte for byte, or they are put right; no order is made for what is kept. */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CertificateOrder } from '../../../../src/features/certificates/order-records.ts'
import { certificateRecords } from '../../../../src/features/certificates/records.ts'
import { PLAIN, WHY } from '../issuing/world.ts'
import { type Estate, installed } from './estate.ts'

const { name } = PLAIN

/** The chain without its last certificate. */
const withoutIntermediate = (chain: string): string => chain.slice(0, chain.lastIndexOf('-----BEGIN'))
const flipped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

describe('the chain is written again without a new order', () => {
  const ways: readonly [string, (chain: string) => string | null][] = [
    ['the intermediate removed', withoutIntermediate],
    ['cut within the intermediate', (chain) => chain.slice(0, -40)],
    ['one letter of the intermediate flipped', (chain) => flipped(chain, chain.length - 40)],
    ['one letter of the leaf flipped', (chain) => flipped(chain, 60)],
    ['one letter of a frame flipped', (chain) => flipped(chain, chain.lastIndexOf('BEGIN'))],
    ['a blank line at its end', (chain) => `${chain}\n`],
    ['emptied', () => ''],
    ['removed', () => null],
  ]
  it.each(ways)('%s', async (_title, spoil) => {
    const { chain, before, pass, orders, proxy_file } = await installed()
    expect(await pass()).toEqual({ drift: [], done: [], left: 0 })
    const spoilt = spoil(before.chain)
    if (spoilt === null) rmSync(chain)
    else writeFileSync(chain, spoilt)
    const proxy_before = statSync(proxy_file).ino
    expect(await pass()).toMatchObject({
      drift: [expect.stringMatching(/^mend: .*without a new order: .*chain\.pem/)],
      done: [true],
      left: 0,
    })
    expect(readFileSync(chain, 'utf8')).toBe(before.chain)
    expect(orders()).toBe(1)
    // The proxy reads a chain when its own file changes.
    expect(statSync(proxy_file).ino).not.toBe(proxy_before)
    expect(readFileSync(proxy_file, 'utf8')).toBe('# names it\n')
  })

  it('also where only the mode shuts everybody out', async () => {
    const { chain, key, before, pass, orders } = await installed()
    for (const [file, mode] of [
      [chain, 0o000],
      [key, 0o000],
      [key, 0o644],
      [chain, 0o666],
    ] as const) {
      chmodSync(file, mode)
      expect(await pass()).toMatchObject({
        drift: [expect.stringContaining('(mode 0')],
        done: [true],
        left: 0,
      })
      expect(statSync(file).mode & 0o777 & ~0o044).toBe(0o600)
    }
    expect(readFileSync(chain, 'utf8')).toBe(before.chain)
    expect(orders()).toBe(1)
  })

  it('and a group that was let in to read stays', async () => {
    const { key, pass } = await installed()
    chmodSync(key, 0o640)
    expect(await pass()).toMatchObject({ drift: [], left: 0 })
  })

  it('from another spelling of the key, its own is restored', async () => {
    const { key, before, pass, orders } = await installed()
    writeFileSync(key, `somebody's note\n${before.key}`)
    expect(await pass()).toMatchObject({ drift: [expect.stringMatching(/^mend: .*key\.pem/)], left: 0 })
    expect(readFileSync(key, 'utf8')).toBe(before.key)
    expect(orders()).toBe(1)
  })
})

describe('a new order is made', () => {
  it.each<[string, (estate: Estate) => void]>([
    ['for a key that was emptied', ({ key }) => writeFileSync(key, '')],
    ['for a key with a letter flipped', ({ key, before }) => writeFileSync(key, flipped(before.key, 32))],
    ['for a key that is gone', ({ key }) => renameSync(key, `${key}.gone`)],
  ])('%s', async (_title, spoil) => {
    const estate = await installed()
    spoil(estate)
    expect(await estate.pass()).toMatchObject({
      drift: [expect.stringMatching(/^obtain: .*key\.pem/)],
      done: [true],
      left: 0,
    })
    expect(estate.orders()).toBe(2)
  })

  it('for a chain whose kept bytes are damaged, too: they are never written', async () => {
    const estate = await installed()
    const { world, chain, before, pass, orders } = estate
    const kept = (await world.store.of(certificateRecords).certificateChain(name))!
    await world.store.write((tx) =>
      tx.of(certificateRecords).saveChain({ ...kept, chain_pem: flipped(kept.chain_pem, 60) }),
    )
    writeFileSync(chain, withoutIntermediate(before.chain))
    expect(await pass()).toMatchObject({ done: [false], left: 1 })
    expect(readFileSync(chain, 'utf8')).toBe(withoutIntermediate(before.chain))
    expect(await pass()).toMatchObject({ drift: [expect.stringMatching(/^obtain: /)], left: 0 })
    expect(orders()).toBe(2)
  })
})

describe('an installation from before chains were kept', () => {
  const forgotten = async (): Promise<Estate> => {
    const estate = await installed()
    await estate.world.store.write((tx) => tx.of(certificateRecords).dropChain(name))
    return estate
  }

  it('keeps a chain that is whole as it stands at the start, never in a look, and mends it from then on', async () => {
    const { world, chain, before, pass, keep, orders } = await forgotten()
    expect(await pass()).toEqual({ drift: [], done: [], left: 0 })
    expect(await world.store.of(certificateRecords).certificateChain(name)).toBeNull()
    await keep()
    expect(await pass()).toEqual({ drift: [], done: [], left: 0 })
    expect(await world.store.of(certificateRecords).certificateChain(name)).toMatchObject({
      chain_pem: before.chain,
    })
    writeFileSync(chain, '')
    expect(await pass()).toMatchObject({ drift: [expect.stringMatching(/^mend: /)], left: 0 })
    expect(readFileSync(chain, 'utf8')).toBe(before.chain)
    expect(orders()).toBe(1)
  })

  it('keeps no chain that lost its intermediate: that is drift and needs a new order', async () => {
    const { world, chain, before, pass, keep, orders } = await forgotten()
    writeFileSync(chain, withoutIntermediate(before.chain))
    await keep()
    expect(await world.store.of(certificateRecords).certificateChain(name)).toBeNull()
    expect(await pass()).toMatchObject({
      drift: [expect.stringMatching(/^obtain: .*no whole chain/)],
      left: 0,
    })
    expect(orders()).toBe(2)
  })
})

describe('a database that was put back after a renewal', () => {
  const DAY = 86_400_000

  /** As after a renewal, with the rows of the first certificate put back and its files swept. */
  const putBack = async () => {
    const estate = await installed()
    const { world } = estate
    const records = () => world.store.of(certificateRecords)
    const [first] = await records().certificates()
    const chain = (await records().certificateChain(name))!
    world.clock.pass(60 * DAY)
    const second = await world.issuer().issue(PLAIN, WHY)
    await world.store.write(async (tx) => {
      await tx.of(certificateRecords).saveCertificate(first!)
      await tx.of(certificateRecords).saveChain(chain)
    })
    await world.files.drop({ name, fingerprint: first!.fingerprint })
    return { ...estate, first: first!, second }
  }

  it('takes the newer certificate on disk over at the start, with its chain: no new order is made', async () => {
    const { world, keep, pass, orders, second } = await putBack()
    await keep()
    expect(await pass()).toEqual({ drift: [], done: [], left: 0 })
    expect(orders()).toBe(2)
    const records = world.store.of(certificateRecords)
    expect(await records.certificates()).toEqual([{ ...second, obtained_at: second.not_before }])
    const path = join(world.files.directory, name, `${second.fingerprint}.chain.pem`)
    expect((await records.certificateChain(name))?.chain_pem).toBe(readFileSync(path, 'utf8'))
  })

  it('leaves the row to an order that runs', async () => {
    const { world, keep, first } = await putBack()
    const order = { id: 'order-1', name, names: [name], directory: first.directory, rehearsal: false }
    const rest = { replaces: null, step: 'planned', order_url: null, challenges: [], reason: 'it ends' }
    const saved = { ...order, ...rest, started_at: 0, updated_at: 0 } as CertificateOrder
    await world.store.write((tx) => tx.of(certificateRecords).saveOrder(saved))
    await keep()
    expect(await world.store.of(certificateRecords).certificates()).toEqual([first])
  })

  it('takes nothing over that ends earlier, or whose key is wrong', async () => {
    const { world, keep, first, second } = await putBack()
    const later = { ...first, not_after: second.not_after + 1 }
    await world.store.write((tx) => tx.of(certificateRecords).saveCertificate(later))
    await keep()
    expect(await world.store.of(certificateRecords).certificates()).toEqual([later])
    await world.store.write((tx) => tx.of(certificateRecords).saveCertificate(first))
    writeFileSync(join(world.files.directory, name, `${second.fingerprint}.key.pem`), 'no key')
    await keep()
    expect(await world.store.of(certificateRecords).certificates()).toEqual([first])
  })
})
