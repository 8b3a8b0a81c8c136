/**
 * inadyn as a gateway runs it, started once with exactly the printed lines, and ddclient from its timer: what they report
 * in the end is what a name server answers, and nothing that they are told ends them.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type MovedClock, movedClock } from '../kit/moved-clock.ts'
import { freePort } from '../kit/ports.ts'
import { type Peer, startPeer, TOOL_MS, TOOL_PATH } from '../peers/peer.ts'
import { describePeers, describePeersInDepth } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const MINUTE = 60_000
const software = DNS_SOFTWARE[0]!

let world: DnsWorld
let at: TestHouse
let scratch: string
let zone: string
let tests = 0
let clock: MovedClock
let client: Peer | null

const host = () => `home.${zone}`
const addressFile = () => join(scratch, 'address')
const toReport = (address: string) => writeFileSync(addressFile(), address)
const published = () => world.dig(host(), 'A')

interface Issued {
  readonly token: { readonly id: string }
  readonly lines: { readonly inadyn: string; readonly ddclient: string; readonly curl: string }
}

async function issue(name: string): Promise<Issued> {
  const { status, body } = await at.call('POST', '/api/ddns/tokens', { body: { host: name } })
  expect(status).toBe(201)
  return body as unknown as Issued
}

async function openHouse(): Promise<TestHouse> {
  const port = await freePort()
  return openTestHouse({
    clock,
    env: { ...world.env, PLUMBLINE_DNS_ZONES: zone, PLUMBLINE_LISTEN: `127.0.0.1:${port}` },
  })
}

async function prepare(): Promise<void> {
  zone = `live${++tests}.test`
  await world.addZone(zone)
  clock = movedClock()
  client = null
  scratch = newFolder('gateway')
  writeFileSync(join(scratch, 'which'), `#!/bin/sh\ncat ${addressFile()}\n`, { mode: 0o700 })
  at = await openHouse()
  await createActive(at.call, { domain: host(), ddns_enabled: true })
  await create(at.call, { domain: `other.${zone}`, ddns_enabled: true })
}

async function cleanUp(): Promise<void> {
  await client?.stop()
  await at[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
}

describePeersInDepth([...software.programs, 'inadyn'], 'inadyn -C', () => {
  beforeAll(async () => {
    world = await software.start([])
  })
  afterAll(() => world.stop())
  beforeEach(prepare)
  afterEach(cleanUp)

  /** The lines are the whole file; where the address comes from is the gateway's own affair. */
  async function startInadyn(lines: string, answered: RegExp): Promise<void> {
    const config = join(scratch, 'inadyn.conf')
    writeFileSync(config, `${lines}\n`, { mode: 0o600 })
    const command = {
      program: 'inadyn',
      args: [
        '-C',
        '--foreground',
        '--loglevel=debug',
        '--no-pidfile',
        `--config=${config}`,
        `--cmd=${join(scratch, 'which')}`,
        `--cache-dir=${join(scratch, 'cache')}`,
      ],
      ready: async () => true,
    }
    const started = await startPeer({ name: 'inadyn', ports: 0, prepare: async () => command })
    client = started.peer
    // Before that, a signal would end it.
    await expect.poll(() => started.peer.log(), { timeout: 60_000 }).toMatch(answered)
  }

  const lives = () => {
    // Throws for a process that is gone. One that ended and nobody waited for is told by its state.
    process.kill(client!.pid, 0)
    expect(readFileSync(`/proc/${client!.pid}/stat`, 'utf8')).not.toMatch(/\) Z /)
  }

  /** Makes it look at its address now, until it has said so. */
  async function reports(address: string, seen: RegExp): Promise<void> {
    toReport(address)
    const before = client!.log().length
    await expect
      .poll(
        () => {
          process.kill(client!.pid, 'SIGUSR1')
          return client!.log().slice(before)
        },
        { interval: 2000, timeout: 60_000 },
      )
      .toMatch(seen)
    lives()
  }

  const taken = (address: string) => new RegExp(`good ${address.replaceAll('.', '\\.')}`)

  it('lives through a changed address, two within a minute and a line that flaps, and the name shows the newest', async () => {
    toReport('84.1.0.1')
    await startInadyn((await issue(host())).lines.inadyn, taken('84.1.0.1'))
    await expect.poll(published).toEqual(['84.1.0.1'])

    await reports('84.1.0.2', taken('84.1.0.2'))
    await reports('84.1.0.3', taken('84.1.0.3'))
    expect(await published()).toEqual(['84.1.0.1'])
    clock.pass(MINUTE)
    await expect.poll(published).toEqual(['84.1.0.3'])

    for (let turn = 0; turn < 6; turn++) {
      const address = turn % 2 === 0 ? '84.1.0.8' : '84.1.0.9'
      clock.pass(MINUTE)
      await reports(address, taken(address))
    }
    // Between the two minutes it changed, and then was held.
    const { body } = await at.call('GET', '/api/ddns/hosts')
    const { hosts } = body as unknown as { hosts: { host: string; flapping: object[] }[] }
    expect(hosts.find((one) => one.host === host())!.flapping).toMatchObject([{ asked: '84.1.0.9' }])
    await expect.poll(published).toEqual(['84.1.0.1'])
    clock.pass(10 * MINUTE)
    await expect.poll(published).toEqual(['84.1.0.9'])
    lives()
  })

  it('lives while the daemon is away, and the name shows the newest address when it is back', async () => {
    toReport('84.1.0.1')
    await startInadyn((await issue(host())).lines.inadyn, taken('84.1.0.1'))
    await expect.poll(published).toEqual(['84.1.0.1'])
    await at.house.close()
    await reports('84.1.0.2', /refused/i)
    clock.pass(2 * MINUTE)
    at = await at.reopen()
    await reports('84.1.0.2', taken('84.1.0.2'))
    await expect.poll(published).toEqual(['84.1.0.2'])
  })

  it('lives through a key that has ended and the name of another', async () => {
    toReport('84.1.0.1')
    const { lines, token } = await issue(host())
    await startInadyn(lines.inadyn, taken('84.1.0.1'))
    await expect.poll(published).toEqual(['84.1.0.1'])
    expect((await at.call('DELETE', `/api/ddns/tokens/${token.id}`)).status).toBe(200)
    await reports('84.1.0.2', /401 Unauthorized/)
    await client!.stop()
    const others = (await issue(host())).lines.inadyn.replaceAll(host(), `other.${zone}`)
    await startInadyn(others, /403 Forbidden/)
    await reports('84.1.0.3', /403 Forbidden/)
    expect(await published()).toEqual(['84.1.0.1'])
  })
})

describePeers([...software.programs, 'ddclient', 'curl'], 'ddclient and curl', () => {
  beforeAll(async () => {
    world = await software.start([])
  })
  afterAll(() => world.stop())
  beforeEach(prepare)
  afterEach(cleanUp)

  const ended = (program: string, words: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      execFile(program, words, { timeout: TOOL_MS, env: { PATH: TOOL_PATH } }, (_error, out, err) =>
        resolve(out + err),
      )
    })

  /** Started by a timer that forgets; the lines are printed ones, but for where the address is asked for. */
  async function ddclient(lines: string, address: string, forgets = true): Promise<string> {
    toReport(address)
    const config = join(scratch, 'ddclient.conf')
    const asked = 'use=web\nweb=ipify-ipv4\n'
    expect(lines).toContain(asked)
    const found = `use=cmd\ncmd=${join(scratch, 'which')}\n`
    writeFileSync(config, `${lines.replace(asked, found)}\n`, { mode: 0o600 })
    const cache = join(scratch, 'ddclient.cache')
    if (forgets) rmSync(cache, { force: true })
    return ended('ddclient', ['-daemon=0', '-foreground', '-verbose', '-file', config, '-cache', cache])
  }

  it('that remembers what it reported reports nothing again, and warns of nothing', async () => {
    const { lines } = await issue(host())
    expect(await ddclient(lines.ddclient, '84.1.0.1')).toMatch(/SUCCESS: .*home/)
    for (let run = 0; run < 3; run++) {
      const output = await ddclient(lines.ddclient, '84.1.0.1', false)
      expect(output).not.toMatch(/WARNING|FAILED/)
      expect(output).toMatch(/skipped|no update|unchanged|SUCCESS:/i)
    }
    expect(await published()).toEqual(['84.1.0.1'])
  })

  itInDepth(
    'twice within a minute, a flapping line, a wrong key and a wrong name: the name shows the newest',
    async () => {
      const { lines } = await issue(host())
      for (const address of ['84.1.0.1', '84.1.0.2', '84.1.0.3']) {
        const output = await ddclient(lines.ddclient, address)
        expect(output).toMatch(/SUCCESS: .*home/)
        expect(output).not.toMatch(/WARNING|FAILED/)
      }
      expect(await published()).toEqual(['84.1.0.1'])
      clock.pass(MINUTE)
      await expect.poll(published).toEqual(['84.1.0.3'])

      for (let turn = 0; turn < 5; turn++) {
        clock.pass(MINUTE)
        expect(await ddclient(lines.ddclient, turn % 2 === 0 ? '84.1.0.8' : '84.1.0.9')).toContain('SUCCESS')
      }
      clock.pass(MINUTE)
      const newest = await ended('sh', ['-c', `ADDRESS=84.1.0.9; ${lines.curl}`])
      expect(newest).toBe('good 84.1.0.9\n')
      // What stood before it all is held.
      await expect.poll(published).toEqual(['84.1.0.1'])
      clock.pass(10 * MINUTE)
      await expect.poll(published).toEqual(['84.1.0.9'])

      const wrong = await ddclient(lines.ddclient.replace(/password=.*/, 'password=wrong'), '84.1.0.4')
      expect(wrong).toMatch(/FAILED: .*authorization failed/)
      const other = await ddclient(lines.ddclient.replace(/home(?=\.live\d+\.test$)/, 'other'), '84.1.0.4')
      expect(other).toMatch(/FAILED: .*nohost/)
      expect(await published()).toEqual(['84.1.0.9'])
    },
  )

  itInDepth('while the daemon is away it fails, and it reports the newest when it is back', async () => {
    const { lines } = await issue(host())
    expect(await ddclient(lines.ddclient, '84.1.0.1')).toContain('SUCCESS')
    await at.house.close()
    expect(await ddclient(lines.ddclient, '84.1.0.2')).toMatch(/FAILED: .*Could not connect/)
    clock.pass(2 * MINUTE)
    at = await at.reopen()
    expect(await ddclient(lines.ddclient, '84.1.0.2')).toContain('SUCCESS')
    await expect.poll(published).toEqual(['84.1.0.2'])
  })
})
