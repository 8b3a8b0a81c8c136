/** Challenges answered through the DNS module of a daemon: real name servers, a real authority, and a house that lives beside. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAcme } from '../../src/features/certificates/acme/create-acme.ts'
import { makeRequest } from '../../src/features/certificates/acme/make-request.ts'
import { openStore } from '../../src/store/open.ts'
import { type ChallengeModule, challengeModule } from '../../src/features/dns/challenge-wiring.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { dnsModule } from '../../src/features/dns/dns-wiring.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { newAccountKey } from '../features/certificates/acme/authority-world.ts'
import { wholeWorld } from '../engine/whole-world.ts'
import { PEBBLE_PROGRAMS, startPebble } from '../peers/pebble.ts'
import { until } from '../peers/peer.ts'
import { describePeers, describePeersInDepth } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'
import { readReportedAddresses } from '../../src/features/ddns/records.ts'
import { newFolder } from '../kit/new-folder.ts'

const signal = new AbortController().signal
const ZONE = 'challenged.test'
const NAME = `_acme-challenge.${ZONE}`

interface Opened extends ChallengeModule {
  [Symbol.asyncDispose](): Promise<void>
}

/** A module of challenges with a store of its own, over the accounts of these settings. */
async function openChallenges(env: Readonly<Record<string, string>>): Promise<Opened> {
  const directory = newFolder('challenges')
  const { settings } = loadConfig({ PLUMBLINE_DATA_DIR: directory, ...env })
  const [clock, log] = [systemClock, silentLog]
  const store = await openStore({ directory, log, clock })
  const world = wholeWorld(store)
  const dns = await dnsModule({
    settings,
    store,
    world,
    clock,
    log,
    stillServed: () => Promise.resolve(new Map()),
    reportedAddresses: readReportedAddresses,
    reports: () => [],
    zonesChanged: async () => undefined,
  })
  await dns.prepare()
  await dns.service.discovery.refresh()
  return {
    ...challengeModule({ settings, dns, clock }),
    async [Symbol.asyncDispose]() {
      await dns.close()
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

const values = (world: DnsWorld, name = NAME) => world.dig(name, 'TXT')

describeOneIn(2).each(DNS_SOFTWARE)('$title', (software) => {
  describePeers(software.programs, 'challenge records', () => {
    let world: DnsWorld
    beforeAll(async () => {
      world = await software.start([ZONE, `kept.${ZONE}`])
    })
    afterAll(() => world.stop())

    it('two values and a stranger’s stand together, are seen, and ours go one by one', async () => {
      await using module = await openChallenges(world.env)
      const { records } = module
      await world.put(ZONE, { name: NAME, type: 'TXT', ttl: 300, values: ['theirs'] })
      const [apex, wild] = ['a', 'w'].map((letter) => ({ name: NAME, value: letter.repeat(43) }))
      expect(await records.obstacle(NAME, signal)).toBeNull()
      expect(await records.visible(apex!, signal)).toMatchObject({ visible: false })
      await Promise.all([apex!, wild!].map((record) => records.present(record, signal)))
      expect(await values(world)).toHaveLength(3)
      await until('both to be seen', async () => {
        const sights = await Promise.all([apex!, wild!].map((record) => records.visible(record, signal)))
        return sights.every(({ visible }) => visible)
      })
      await records.remove(wild!, signal)
      expect(await values(world)).toEqual([`"${apex!.value}"`, '"theirs"'])
      await records.remove(apex!, signal)
      await records.remove(apex!, signal)
      expect(await values(world)).toEqual(['"theirs"'])
      expect(await records.visible(apex!, signal)).toMatchObject({ visible: false })
      await world.take(ZONE, { name: NAME, type: 'TXT' })
    })

    itInDepth(
      'a house that keeps records in the zone sees nothing of them: no drift, nothing to do, nothing taken',
      async () => {
        const zone = `kept.${ZONE}`
        const env = { ...world.env, PLUMBLINE_PUBLIC_IP: '203.0.113.10' }
        await using house = await openTestHouse({ env, opened: false })
        await using module = await openChallenges(world.env)
        const { call } = house
        const id = await createActive(call, { domain: `app.${zone}` })
        const record = { name: `_acme-challenge.app.${zone}`, value: 'k'.repeat(43) }
        await module.records.present(record, signal)
        expect((await call('GET', '/api/domains/drift')).body['drift']).toBe(false)
        const plan = await call('POST', '/api/plans', { body: { component: 'dns' } })
        expect(plan.body).toMatchObject({ plan: { actions: [], complete: true } })
        const { body } = await call('GET', '/api/dns/records')
        expect(JSON.stringify(body)).toContain(`app.${zone}`)
        expect(JSON.stringify(body)).not.toContain('_acme-challenge')
        // The name's own record goes; the challenge is not the house's to take.
        expect((await call('POST', `/api/domains/${id}/disable`)).status).toBe(200)
        expect(await values(world, record.name)).toEqual([`"${record.value}"`])
        await module.records.remove(record, signal)
        expect(await values(world, record.name)).toEqual([])
      },
    )

    it('CAA records at the server are found from below, and decide', async () => {
      await using module = await openChallenges(world.env)
      const ask = (name: string, identities: readonly string[]) =>
        module.caa.evaluate({ name, identities, account_url: null }, signal)
      await world.put(ZONE, {
        name: ZONE,
        type: 'CAA',
        ttl: 60,
        values: ['0 issue "ca.example"', '0 issuewild ";"'],
      })
      expect(await ask(`deep.app.${ZONE}`, ['ca.example'])).toEqual({ allowed: true, detail: null })
      expect(await ask(`deep.app.${ZONE}`, ['other.example'])).toMatchObject({ allowed: false })
      expect(await ask(`*.app.${ZONE}`, ['ca.example'])).toMatchObject({ allowed: false })
      // Nobody here answers for the names above the zone.
      expect(await ask('elsewhere.test', ['ca.example'])).toMatchObject({ allowed: null })
    })

    describePeersInDepth(PEBBLE_PROGRAMS, 'and an authority', () => {
      it('an apex with its wildcard is validated, and the zone is as it was before', async () => {
        const pebble = await startPebble({ dns_server: `127.0.0.1:${world.dns_port}`, nonce_reject: 0 })
        await using module = await openChallenges(world.env)
        const before = await world.records(ZONE)
        const acme = createAcme(
          {
            directory: pebble.directory_url,
            contact: null,
            account_key: newAccountKey(),
            eab: null,
            ca_file: pebble.ca_file,
          },
          { clock: systemClock },
        )
        try {
          const order = await acme.newOrder({ names: [ZONE, `*.${ZONE}`], replaces: null }, signal)
          const found = await Promise.all(
            order.authorization_urls.map((url) => acme.authorization(url, signal)),
          )
          const challenges = found.map(({ dns }) => ({
            ...dns!,
            name: dns!.record_name,
            value: dns!.record_value,
          }))
          for (const challenge of challenges) await module.records.present(challenge, signal)
          for (const challenge of challenges)
            await until('the value', async () => (await module.records.visible(challenge, signal)).visible)
          for (const { url } of challenges) await acme.answer(url, signal)
          const ready = await until('the order', async () => {
            const now = await acme.order(order.url, signal)
            return now.status !== 'pending' && now
          })
          expect(ready).toMatchObject({ status: 'ready', error: null })
          for (const challenge of challenges) await module.records.remove(challenge, signal)
          expect(await world.records(ZONE)).toEqual(before)
          await acme.finalize(ready, (await makeRequest(ready.names)).csr, signal)
        } finally {
          await acme.close()
          await pebble.stop()
        }
      })
    })
  })
})

it('in a zone file, the lines of others stay as they are, and a zone that is missing is made', async () => {
  const directory = newFolder('zones')
  const path = join(directory, `${ZONE}.zone`)
  const theirs = [
    `$ORIGIN ${ZONE}.`,
    '@ 3600 IN SOA ns1.test. host.test. 1 3600 600 86400 300',
    '@ 3600 IN NS ns1.test.',
    '_acme-challenge 3600 IN TXT "by hand" ; do not touch',
    '',
  ].join('\n')
  writeFileSync(path, theirs)
  await using module = await openChallenges({
    PLUMBLINE_DNS_PROVIDER: 'zonefile',
    PLUMBLINE_ZONEFILE_DIR: directory,
  })
  const record = { name: NAME, value: 'z'.repeat(43) }
  await module.records.present(record, signal)
  expect(readFileSync(path, 'utf8')).toContain(record.value)
  expect(readFileSync(path, 'utf8')).toContain('by hand')
  await module.records.remove(record, signal)
  const after = readFileSync(path, 'utf8')
  expect(after).not.toContain(record.value)
  expect(after).toContain('"by hand" ; do not touch')

  const other = { name: '_acme-challenge.app.new-zone.test', value: 'n'.repeat(43) }
  await module.records.present(other, signal)
  expect(readFileSync(join(directory, 'new-zone.test.zone'), 'utf8')).toContain(other.value)
  await module.records.remove(other, signal)
  expect(readFileSync(join(directory, 'new-zone.test.zone'), 'utf8')).not.toContain(other.value)
})
