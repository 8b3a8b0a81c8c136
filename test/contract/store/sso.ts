/** The store contract: what the SSO provider is known to run, our restarts, and routes in quarantine. */
import { expect, test } from 'vitest'
import { eachStore, type OpenStore } from './opened.ts'
import { ssoRecords } from '../../../src/features/sso/records.ts'

const LOAD = { place: '/rules.yml', stamp: '7 100', text: 'access_control: {}\n', at: 200, started_at: 190 }
const ROW = { domain_id: 3, domain: 'b.example.com', since: 100, evidence: 'content (200)' }

export function ssoContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('a store that knows nothing of a provider says so', async () => {
    expect(await opened.store.of(ssoRecords).ssoLoad()).toBeNull()
    expect(await opened.store.of(ssoRecords).ssoRestartedAt()).toBeNull()
    expect(await opened.store.of(ssoRecords).quarantine()).toEqual([])
  })

  test('loads and restarts are kept apart, the last word wins, and both survive', async () => {
    await opened.store.write((tx) => tx.of(ssoRecords).saveSsoRestart(150))
    expect(await opened.store.of(ssoRecords).ssoLoad()).toBeNull()
    await opened.store.write((tx) => tx.of(ssoRecords).saveSsoLoad(LOAD))
    await opened.store.write((tx) => tx.of(ssoRecords).saveSsoLoad({ ...LOAD, stamp: '7 300' }))
    await opened.store.write((tx) => tx.of(ssoRecords).saveSsoRestart(400))
    const store = await opened.reopen()
    expect(await store.of(ssoRecords).ssoLoad()).toEqual({ ...LOAD, stamp: '7 300' })
    expect(await store.of(ssoRecords).ssoRestartedAt()).toBe(400)
  })

  test('a quarantine begins once and ends once, and is listed by name', async () => {
    const other = { ...ROW, domain_id: 1, domain: 'a.example.com' }
    await opened.store.write(async (tx) => {
      await tx.of(ssoRecords).addQuarantine(ROW)
      await tx.of(ssoRecords).addQuarantine({ ...ROW, since: 900, evidence: 'again' })
      await tx.of(ssoRecords).addQuarantine(other)
    })
    const store = await opened.reopen()
    expect(await store.of(ssoRecords).quarantine()).toEqual([other, ROW])
    expect(await store.write((tx) => tx.of(ssoRecords).dropQuarantine(3))).toBe(true)
    expect(await store.write((tx) => tx.of(ssoRecords).dropQuarantine(3))).toBe(false)
    expect(await store.of(ssoRecords).quarantine()).toEqual([other])
  })
}
