/** inadyn and ddclient, as routers run them, with the very lines that `plumbline token issue` prints. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TOOL_MS, TOOL_PATH } from '../peers/peer.ts'
import { describePeers } from '../peers/peers.ts'
import { run } from './command.ts'
import { create, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const HOME = 'home.example.com'
const V4 = '84.1.2.3'
const V6 = '2a02:2f0e::7'

let at: TestHouse
let scratch: string
/** What the command printed, by its titles. */
let printed: ReadonlyMap<string, string>

/** That whose title begins so. */
const printedBy = (title: string): string => [...printed].find(([one]) => one.startsWith(title))![1]

async function issue(host: string): Promise<ReadonlyMap<string, string>> {
  const { listen: url } = JSON.parse(readFileSync(join(at.directory, 'holder.json'), 'utf8')) as {
    listen: string
  }
  const env = { API_KEY: at.house.key.reveal(), PLUMBLINE_DATA_DIR: scratch }
  const { code, out, err } = await run(['token', 'issue', host, '--label', 'attic', '--url', url], env)
  expect(code, err).toBe(0)
  return new Map(
    out.split(/^# /m).flatMap((part) => {
      const [title = '', ...lines] = part.split('\n')
      return title === '' ? [] : [[title, lines.join('\n').trim()] as const]
    }),
  )
}

beforeEach(async () => {
  scratch = newFolder('gateway')
  at = await openTestHouse()
  await create(at.call, { domain: HOME, ddns_enabled: true })
  await create(at.call, { domain: 'other.example.com', ddns_enabled: true })
  printed = await issue(HOME)
})
afterEach(() => at[Symbol.asyncDispose]())

interface Ended {
  readonly code: number
  readonly output: string
}

const ended = (program: string, words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, words, { timeout: TOOL_MS, env: { PATH: TOOL_PATH } }, (error, out, err) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
        output: out + err,
      }),
    )
  })

async function reported(host = HOME) {
  const { body } = await at.call('GET', '/api/ddns/hosts')
  const { hosts } = body as unknown as { hosts: { host: string; ipv4: string | null; ipv6: string | null }[] }
  const found = hosts.find((one) => one.host === host)
  return [found?.ipv4 ?? null, found?.ipv6 ?? null]
}

describePeers(['inadyn'], 'inadyn', () => {
  /** The lines as they are printed; where the address comes from is the gateway's own affair. */
  function inadyn(lines: string, address: string, round = 0): Promise<Ended> {
    const config = join(scratch, `inadyn-${round}.conf`)
    const source = join(scratch, `address-${round}`)
    writeFileSync(config, `allow-ipv6 = true\n${lines}\n`, { mode: 0o600 })
    writeFileSync(source, `#!/bin/sh\necho ${address}\n`, { mode: 0o700 })
    return ended('inadyn', [
      '--once',
      '--foreground',
      '--loglevel=debug',
      '--no-pidfile',
      `--config=${config}`,
      `--cmd=${source}`,
      `--cache-dir=${join(scratch, `cache-${round}`)}`,
    ])
  }

  it('reports an IPv4 address and its IPv6 twin', async () => {
    const lines = printed.get('inadyn.conf')!
    const first = await inadyn(lines, V4, 1)
    expect(first, first.output).toMatchObject({ code: 0 })
    expect(first.output).toContain('Successful alias table update')
    expect(await reported()).toEqual([V4, null])
    const second = await inadyn(lines, V6, 2)
    expect(second, second.output).toMatchObject({ code: 0 })
    expect(await reported()).toEqual([V4, V6])
  })

  itInDepth('takes an unchanged address for success', async () => {
    const lines = printed.get('inadyn.conf')!
    for (const round of [1, 2]) {
      const { code, output } = await inadyn(lines, V4, round)
      expect(code, output).toBe(0)
    }
    expect(await reported()).toEqual([V4, null])
  })

  itInDepth(
    'does not take a refusal for success: a wrong key, another host’s token, a private address',
    async () => {
      const lines = printed.get('inadyn.conf')!
      const other = lines.replaceAll(HOME, 'other.example.com')
      const refused = [
        await inadyn(lines.replace(/key=[^&]+/, 'key=wrong'), V4, 1),
        await inadyn(other, V4, 2),
        await inadyn(lines, '10.1.2.3', 3),
      ]
      for (const { code, output } of refused) {
        expect(code, output).not.toBe(0)
        expect(output).not.toContain('Successful alias table update')
      }
      expect(await reported()).toEqual([null, null])
      expect(await reported('other.example.com')).toEqual([null, null])
    },
  )

  it('reports with the fields of UniFi’s form, which become such a block there', async () => {
    const form = new Map(
      printed
        .get('UniFi, service "custom"')!
        .split('\n')
        .map((line) => line.split(/ +/) as [string, string]),
    )
    const server = form.get('Server')!
    const slash = server.indexOf('/')
    // As the controller writes it: https is its own choice, and loopback has no certificate.
    const block = `custom ${form.get('Hostname')}:1 {
      ddns-server = "${server.slice(0, slash)}"
      ddns-path = "${server.slice(slash)}"
      hostname = "${form.get('Hostname')}"
      username = "${form.get('Username')}"
      password = "${form.get('Password')}"
      ssl = false
}`
    const { code, output } = await inadyn(block, V4)
    expect(code, output).toBe(0)
    expect(await reported()).toEqual([V4, null])
  })
})

describePeers(['ddclient'], 'ddclient', () => {
  /** The lines as they are printed, but for those that ask a service on the internet for the address. */
  function ddclient(lines: string, address: string, round = 0): Promise<Ended> {
    const config = join(scratch, 'ddclient.conf')
    const source = join(scratch, `source-${round}`)
    const asked = 'use=web\nweb=ipify-ipv4\n'
    expect(lines).toContain(asked)
    // Its form of dyndns2 knows an IPv6 address only as the one address.
    const found = `use=cmd\ncmd=${source}\n`
    writeFileSync(source, `#!/bin/sh\necho ${address}\n`, { mode: 0o700 })
    writeFileSync(config, `${lines.replace(asked, found)}\n`, { mode: 0o600 })
    const cache = join(scratch, `ddclient-${round}.cache`)
    return ended('ddclient', ['-daemon=0', '-foreground', '-verbose', '-file', config, '-cache', cache])
  }

  it('reports an IPv4 address and its IPv6 twin', async () => {
    const lines = printed.get('ddclient.conf')!
    const first = await ddclient(lines, V4, 1)
    expect(first.output).toMatch(/SUCCESS: .*home\.example\.com/)
    expect(first.output).not.toContain('WARNING')
    expect(await reported()).toEqual([V4, null])
    const second = await ddclient(lines, V6, 2)
    expect(second.output).toMatch(/SUCCESS: .*home\.example\.com/)
    expect(await reported()).toEqual([V4, V6])
  })

  itInDepth('takes an unchanged address for one', async () => {
    const lines = printed.get('ddclient.conf')!
    await ddclient(lines, V4, 1)
    const again = await ddclient(lines, V4, 2)
    expect(again.output).toContain('nochg')
    expect(again.output).not.toContain('FAILED')
  })

  itInDepth('takes neither a wrong password nor another host’s token for success', async () => {
    const lines = printed.get('ddclient.conf')!
    const wrong = await ddclient(lines.replace(/password=.*/, 'password=wrong'), V4, 1)
    expect(wrong.output).toMatch(/FAILED: .*authorization failed/)
    const other = await ddclient(lines.replace(/home(?=\.example\.com$)/, 'other'), V4, 2)
    expect(other.output).toMatch(/FAILED: .*nohost: The hostname specified does not exist/)
    const wrongAddress = await ddclient(lines, '10.1.2.3', 3)
    expect(wrongAddress.output).toMatch(/FAILED: .*dnserr/)
    for (const { output } of [wrong, other]) expect(output).not.toContain('SUCCESS')
    expect(await reported()).toEqual([null, null])
  })
})

describePeers(['curl'], 'curl', () => {
  it('reports through the printed command and the printed URL', async () => {
    const { output } = await ended('sh', ['-c', `ADDRESS=${V4}; ${printedBy('curl 7.76 ')}`])
    expect(output).toBe(`good ${V4}\n`)
    expect(await reported()).toEqual([V4, null])
    // Without an address it is that of the connection, which on this host is none.
    const bare = await ended('curl', ['-sS', printed.get('URL, with the address of the connection')!])
    expect(bare.output).toContain('is required')
  })
})
