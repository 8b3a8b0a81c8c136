/** Renewals over a scripted authority and real DNS: by the authority's wish, by the clock, and when `replaces` is refused. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import { type AcmeStub, type AuthorityFiles, makeAuthority, startAcmeStub } from '../fakes/acme/acme-stub.ts'
import { problem } from '../fakes/acme/misconduct.ts'
import { describePeers } from '../peers/peers.ts'
import { CERTIFICATE_PROGRAMS, challengesIn, type Opened, openBehindProxy } from './certificates-world.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONES = Array.from({ length: 12 }, (_, i) => `renewed${i + 1}.test`)

describePeers(CERTIFICATE_PROGRAMS, 'renewal', () => {
  let dns: DnsWorld
  let files: AuthorityFiles
  let authority: AcmeStub
  let used = 0
  let clock: MovedClock
  beforeAll(async () => {
    dns = await DNS_SOFTWARE[0]!.start(ZONES)
    files = await makeAuthority()
  })
  afterAll(async () => {
    files.remove()
    await dns.stop()
  })
  beforeEach(async () => {
    clock = movedClock()
    authority = await startAcmeStub(files)
    return () => authority.stop()
  })

  /** A house with one certificate, from an authority that wants it renewed a month later, or says nothing of it. */
  async function installed({ wishes = true } = {}) {
    const zone = ZONES[used++]!
    const opened = await openBehindProxy({ env: env(), clock })
    authority.ways.renewal = wishes ? windowFrom(30 * DAY) : null
    const id = await createActive(opened.at.call, { domain: `app.${zone}`, service_type: 'internal' })
    return { opened, zone, id, first: await serial(opened, id) }
  }
  const env = () => ({
    ...dns.env,
    PLUMBLINE_ACME_DIRECTORY: authority.directory_url,
    PLUMBLINE_ACME_CA_FILE: authority.ca_file,
  })
  const windowFrom = (ahead_ms: number) => ({
    start: new Date(clock.now() + ahead_ms).toISOString(),
    end: new Date(clock.now() + ahead_ms + 2 * HOUR).toISOString(),
  })
  /** The authority's own clock does not move, so what it issues then ends later all the same. */
  const letPass = (ms: number) => {
    clock.step(ms)
    authority.ways.days += Math.ceil(ms / DAY)
  }
  const orders = () => authority.requests.filter(({ resource }) => resource === 'new-order').length
  const reconcile = async ({ at }: Opened) => (await at.call('POST', '/api/tls/reconcile')).body

  itInDepth('the authority asks for it early: done, once, and served', async () => {
    const { opened, zone, id, first } = await installed()
    await using _ = opened
    letPass(7 * HOUR)
    authority.ways.renewal = windowFrom(-3 * HOUR)
    expect(await reconcile(opened)).toMatchObject({ success: true, results: [{ outcome: 'repaired' }] })
    const second = await serial(opened, id)
    expect(second).not.toBe(first)
    expect(orders()).toBe(2)
    expect(await challengesIn(dns, zone)).toEqual([])

    // An authority that calls each new one due at once is not followed from one to the next.
    expect(await reconcile(opened)).toMatchObject({ success: true, results: [{ outcome: 'clean' }] })
    expect(orders()).toBe(2)
  })

  itInDepth('what it replaces is refused to be named: ordered without', async () => {
    const { opened, id, first } = await installed()
    await using _ = opened
    letPass(7 * HOUR)
    authority.ways.renewal = windowFrom(-3 * HOUR)
    authority.ways.refuse_replaces = problem('alreadyReplaced', 'that one has a successor', { status: 409 })
    expect(await reconcile(opened)).toMatchObject({ success: true })
    expect(await serial(opened, id)).not.toBe(first)
    expect(orders()).toBe(3)
  })

  it('an authority without such wishes: after two thirds of the lifetime', async () => {
    const { opened, id, first } = await installed({ wishes: false })
    await using _ = opened
    letPass(39 * DAY)
    expect(await reconcile(opened)).toMatchObject({ results: [{ outcome: 'clean' }] })
    letPass(41 * DAY)
    expect(await reconcile(opened)).toMatchObject({ results: [{ outcome: 'repaired' }] })
    expect(await serial(opened, id)).not.toBe(first)
  })

  itInDepth('a host that slept past the day renews when it wakes, with nobody calling', async () => {
    const { opened, id, first } = await installed()
    await using _ = opened
    letPass(41 * DAY)
    await using woken = await opened.at.reopen()
    await expect
      .poll(async () => (await woken.call('GET', '/api/certificates')).body['certificates'])
      .not.toMatchObject([{ certificate: { serial: first } }])
    await expect.poll(() => serial({ ...opened, at: woken }, id)).not.toBe(first)
    expect(orders()).toBe(2)
  })

  itInDepth('a renewal that fails leaves what stands, and nobody’s record in error', async () => {
    const { opened, zone, id, first } = await installed()
    await using _ = opened
    letPass(41 * DAY)
    authority.ways.renewal = null
    authority.ways.verdict = 'invalid'
    const failed = await reconcile(opened)
    expect(failed).toMatchObject({ success: false, results: [{ outcome: 'failed', serial: first }] })
    const { call } = opened.at
    expect(await serial(opened, id)).toBe(first)
    expect((await call('GET', `/api/domains/${id}`)).body).toMatchObject({ status: 'active' })
    expect(await challengesIn(dns, zone)).toEqual([])
    const { body } = await call('GET', `/api/domains/${id}/cert`)
    expect(body['last_error']).toContain('the TXT record says something else')

    // It waits for its time, however often somebody asks.
    const before = orders()
    authority.ways.verdict = 'valid'
    expect(await reconcile(opened)).toMatchObject({ results: [{ outcome: 'clean' }] })
    expect(orders()).toBe(before)
    letPass(42 * DAY + 2 * HOUR)
    expect(await reconcile(opened)).toMatchObject({ success: true, results: [{ outcome: 'repaired' }] })
    expect(await serial(opened, id)).not.toBe(first)
  })

  itInDepth('files that somebody took away are obtained anew', async () => {
    const { opened, zone, id, first } = await installed()
    await using _ = opened
    letPass(HOUR)
    rmSync(`${opened.at.directory}/certificates/app.${zone}`, { recursive: true })
    const { body } = await opened.at.call('GET', '/api/certificates')
    expect(body['certificates']).toMatchObject([{ last_error: expect.stringContaining('missing') as string }])
    // An hour later the engine's own pass is due, too: whichever of the two comes first repairs it.
    expect(await reconcile(opened)).toMatchObject({ success: true })
    expect(await serial(opened, id)).not.toBe(first)
  })
})

/** On the wire. */
async function serial({ at }: Pick<Opened, 'at'>, id: number): Promise<string> {
  const { body } = await at.call('GET', `/api/domains/${id}/cert`)
  expect(body, JSON.stringify(body)).toMatchObject({ served: { covers_name: true } })
  return (body['served'] as unknown as { readonly serial: string }).serial
}
