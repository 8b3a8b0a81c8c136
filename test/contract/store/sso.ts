/** The store contract: what the SSO provider is known to run, our restarts, and routes in quarantine. */
import { expect, test } from 'vitest'
import { eachStore, type OpenStore } from './opened.ts'

const LOAD = { place: '/rules.yml', stamp: '7 100', text: 'access_control: {}\n', at: 200 }
const ROW = { domain_id: 3, domain: 'b.example.com', since: 100, evidence: 'content (200)' }

export function ssoContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('a store that knows nothing of a provider says so', async () => {
    expect(await opened.store.ssoLoad()).toBeNull()
    expect(await opened.store.ssoRestartedAt()).toBeNull()
    expect(await opened.store.quarantine()).toEqual([])
  })

  test('loads and restarts are kept apart, the last word wins, and both survive', async () => {
    await opened.store.write((tx) => tx.saveSsoRestart(150))
    expect(await opened.store.ssoLoad()).toBeNull()
    await opened.store.write((tx) => tx.saveSsoLoad(LOAD))
    await opened.store.write((tx) => tx.saveSsoLoad({ ...LOAD, stamp: '7 300' }))
    await opened.store.write((tx) => tx.saveSsoRestart(400))
    const store = await opened.reopen()
    expect(await store.ssoLoad()).toEqual({ ...LOAD, stamp: '7 300' })
    expect(await store.ssoRestartedAt()).toBe(400)
  })

  test('a quarantine begins once and ends once, and is listed by name', async () => {
    const other = { ...ROW, domain_id: 1, domain: 'a.example.com' }
    await opened.store.write(async (tx) => {
      await tx.addQuarantine(ROW)
      await tx.addQuarantine({ ...ROW, since: 900, evidence: 'again' })
      await tx.addQuarantine(other)
    })
    const store = await opened.reopen()
    expect(await store.quarantine()).toEqual([other, ROW])
    expect(await store.write((tx) => tx.dropQuarantine(3))).toBe(true)
    expect(await store.write((tx) => tx.dropQuarantine(3))).toBe(false)
    expect(await store.quarantine()).toEqual([other])
  })
}
