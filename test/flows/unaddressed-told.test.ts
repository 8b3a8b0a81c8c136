/** What a person reads of a live name that nobody can reach: no address is known for it, or its backend speaks otherwise. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from './command.ts'
import { serve, type ServedDaemon } from './command-daemon.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const APP = 'app.example.com'
const OTHER = 'other.example.com'

let directory: string
let env: Record<string, string>
let daemon: ServedDaemon
const backend = createServer((_request, response) => void response.end('hello'))
let port: number
beforeAll(async () => {
  await new Promise<void>((resolve) => void backend.listen(0, '127.0.0.1', resolve))
  port = (backend.address() as AddressInfo).port
  directory = newFolder('unaddressed')
  env = { PLUMBLINE_DATA_DIR: directory, PLUMBLINE_LISTEN: '127.0.0.1:0' }
  daemon = await serve({ ...env, PLUMBLINE_DNS_PROVIDER: 'zonefile' })
  // The zone comes with the first name that has an address.
  const other = ['add', OTHER, `127.0.0.1:${port}`, '--static-ip', '203.0.113.9', '--yes']
  expect(await on(...other)).toMatchObject({ code: 0 })
  expect(await on('add', APP, `127.0.0.1:${port}`, '--save')).toMatchObject({ code: 0 })
  await on('on', APP, '--yes')
})
afterAll(async () => {
  await daemon.stop()
  backend.close()
})

const on = (...words: string[]) => run(words, env)
const lineOf = (out: string, start: RegExp) => out.split('\n').find((line) => start.test(line)) ?? ''

it('explain: the headline does not say "everywhere", and the second line says what is missing', async () => {
  const { out } = await on('explain', APP)
  const [headline, second] = out.split('\n')
  expect(headline).toBe(`${APP} is what was released, and no DNS record is made of it.`)
  expect(second).toBe(
    'DNS does not have it: no address is known for it: give it a static_ip, let a gateway report one, or set PLUMBLINE_PUBLIC_IP.',
  )
  expect(out).toMatch(/^dns: not rendered$/m)
  const { not_published } = JSON.parse((await on('explain', APP, '--json')).out) as Record<string, unknown>
  expect(not_published).toMatch(/^no address is known for it/)
  expect((await on('explain', OTHER)).out).toMatch(/^other\.example\.com is what was released, everywhere\./)
})

itInDepth('explain: that nobody obtains a certificate is said with what helps', async () => {
  const why =
    'warning Nobody obtains a certificate for it: neither a resolver of the proxy nor an authority is set up: name the proxy’s in PLUMBLINE_CERT_RESOLVER and deploy, or set PLUMBLINE_ACME_DIRECTORY and PLUMBLINE_CERTIFICATES=manager.'
  expect((await on('explain', OTHER)).out.replaceAll(/\s+/g, ' ')).toContain(why)
  const { no_certificate } = JSON.parse((await on('explain', OTHER, '--json')).out) as Record<string, unknown>
  expect(no_certificate).toMatch(/^neither a resolver/)
})

itInDepth('domains and show: it is not called in sync with DNS', async () => {
  const shown = lineOf((await on('show', APP)).out, /^ +dns /)
  expect(shown).toMatch(/^ +dns +not rendered +No DNS record is made: no address is known for it:/)
  expect(lineOf((await on('show', OTHER)).out, /^ +dns /)).toMatch(/^ +dns +in sync/)
  const listed = (await on('domains')).out
  expect(lineOf(listed, /^app\./)).toContain('no address is known')
  expect(lineOf(listed, /^other\./)).toContain('as it should be')
  expect((await on('domains', '--drift', '-q')).out).not.toContain(OTHER)
  const { out } = await on('status')
  expect(out).toContain(
    `${APP}: no DNS record is made, as no address is known; that is no fault: "plumbline explain"`,
  )
  expect(out).not.toContain(`${OTHER}: no DNS record`)
})

itInDepth('explain: a backend that speaks another scheme than the record says', async () => {
  const set = await on('set', OTHER, 'backend_scheme=https', '--deploy', '--yes')
  expect(set, set.err).toMatchObject({ code: 0 })
  const { out } = await on('explain', OTHER)
  const [headline, second] = out.split('\n')
  expect(headline).toBe(`${OTHER} is what was released, everywhere.`)
  expect(second).toBe(
    `But its backend 127.0.0.1:${port} cannot be spoken to as the record says. It speaks plain HTTP, and the proxy speaks TLS to it: visitors get an error (400, 500 or 502). Set backend_scheme to http.`,
  )
})

itInDepth('an address makes it whole', async () => {
  expect(await on('set', APP, 'static_ip=203.0.113.7', '--deploy', '--yes')).toMatchObject({ code: 0 })
  expect((await on('explain', APP)).out).toMatch(/^app\.example\.com is what was released, everywhere\.\n\n/)
  expect(lineOf((await on('show', APP)).out, /^ +dns /)).toMatch(/^ +dns +in sync/)
})
