/** The proxy's certificate store while it is whole: what is told, and what a look at it costs. */
import fs, { appendFileSync, chmodSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../../../fakes/certificate-authority.ts'
import { manyCertificates } from '../../../fakes/many-certificates.ts'
import { backdate, NEVER, type StoreFolder, storeFolder } from './store-folder.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

let authority: CertificateAuthority
let first: Issued
let second: Issued
beforeAll(() => {
  authority = certificateAuthority()
  first = authority.issue({ names: ['b.example.com', 'A.example.com'] })
  second = authority.issue({ names: ['*.wild.example.com'], key: 'rsa' })
})
afterAll(() => authority.close())

let folder: StoreFolder
beforeEach(() => {
  folder = storeFolder()
})
afterEach(() => folder.close())

it('names, dates, issuer and key type of each are told, and of the account its status', async () => {
  folder.put(acmeJson([first, second]))
  const reading = await folder.open().read(NEVER)
  expect(reading).toMatchObject({ state: 'good', detail: null, file: { mode: '0600', path: folder.path } })
  expect(reading.file).toMatchObject({ owner: process.geteuid!() })
  const [resolver] = reading.content!.resolvers
  expect(resolver).toMatchObject({ name: 'letsencrypt', registration: 'valid', undecodable: 0 })
  expect(resolver!.certificates).toMatchObject([
    { names: ['a.example.com', 'b.example.com'], issuer: 'Test Intermediate', key_type: 'EC P-256' },
    { names: ['*.wild.example.com'], key_type: 'RSA 2048' },
  ])
  for (const { serial, fingerprint, not_after } of resolver!.certificates) {
    expect(serial).toMatch(/^[1-9a-f][0-9a-f]*$/)
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(not_after).toBeGreaterThan(Date.now())
  }
})

it('several resolvers stand by name, each with its own', async () => {
  const [b, a] = [acmeJson([first], 'b-dns'), acmeJson([second], 'a-http')].map(
    (text) => JSON.parse(text) as object,
  )
  folder.put(JSON.stringify({ ...b, ...a }))
  const { content } = await folder.open().read(NEVER)
  expect(
    content!.resolvers.map(({ name, certificates }) => [name, certificates.map(({ names }) => names[0])]),
  ).toEqual([
    ['a-http', ['*.wild.example.com']],
    ['b-dns', ['a.example.com']],
  ])
})

it.each<[string, unknown]>([
  ['nulls for all that may be null', { le: { Account: null, Certificates: null } }],
  ['no resolver yet', {}],
  [
    'an account that is not registered yet',
    { le: { Account: { Email: '', Registration: null }, Certificates: null } },
  ],
])('%s: good and empty', async (_title, json) => {
  folder.put(JSON.stringify(json))
  const reading = await folder.open().read(NEVER)
  expect(reading.state).toBe('good')
  for (const resolver of reading.content!.resolvers)
    expect(resolver).toMatchObject({ registration: null, certificates: [], undecodable: 0 })
})

it('the owner and the date are told as they are, whoever and whenever that is', async () => {
  folder.put('{}')
  if (process.geteuid!() === 0) fs.chownSync(folder.path, 12_345, 0)
  backdate(folder.path, 1)
  expect((await folder.open().read(NEVER)).file).toMatchObject({
    owner: process.geteuid!() === 0 ? 12_345 : process.geteuid!(),
    modified_at: 1000,
  })
})

it('unchanged, it costs one stat: it is not opened, not parsed, not decoded', async () => {
  folder.put(acmeJson([first, second]))
  const store = folder.open()
  folder.clock.pass(2000)
  const calls = countCalls()
  try {
    const before = await store.read(NEVER)
    expect(calls()).toEqual({ glances: 0, opened: 1, parsed: 1 })
    for (let i = 0; i < 5; i++) expect(await store.read(NEVER)).toBe(before)
    expect(calls()).toEqual({ glances: 5, opened: 1, parsed: 1 })
    expect(store.figures).toEqual({ decoded: 2, kept: 2 })
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
})

/** What the reader calls of Node, from now on. */
function countCalls() {
  const glances = vi.spyOn(fs, 'lstatSync')
  const opened = vi.spyOn(fs.promises, 'open')
  const parsed = vi.spyOn(JSON, 'parse')
  // Named imports see the spies only then.
  syncBuiltinESMExports()
  return () => ({
    glances: glances.mock.calls.length,
    opened: opened.mock.calls.length,
    parsed: parsed.mock.calls.length,
  })
}

it('just changed, it is read anew: a second change within the same step of the clock would look the same', async () => {
  folder.put(acmeJson([first]))
  const store = folder.open()
  const reading = await store.read(NEVER)
  expect(await store.read(NEVER)).not.toBe(reading)
  folder.clock.pass(2000)
  const settled = await store.read(NEVER)
  expect(await store.read(NEVER)).toBe(settled)
  expect(store.figures.decoded).toBe(1)
})

it.each<[string, () => void]>([
  ['rewritten with its old date put back', () => (folder.put(acmeJson([second])), backdate(folder.path, 1))],
  [
    'replaced by another file',
    () => (rmSync(folder.path), folder.put(acmeJson([second])), backdate(folder.path, 1)),
  ],
  ['grown by a blank', () => appendFileSync(folder.path, ' ')],
  ['closed to everybody but its owner', () => chmodSync(folder.path, 0o400)],
])('%s, it is seen to have changed', async (_title, change) => {
  folder.put(acmeJson([first]))
  backdate(folder.path, 1)
  const store = folder.open()
  folder.clock.pass(2000)
  const before = await store.read(NEVER)
  change()
  expect(await store.read(NEVER)).not.toBe(before)
})

itInDepth('one renewed of 10,000: one is decoded, and the one that is gone is forgotten', async () => {
  const all = manyCertificates(first, 10_000)
  folder.put(acmeJson(all))
  const store = folder.open()
  expect((await store.read(NEVER)).content!.resolvers[0]!.certificates).toHaveLength(10_000)
  expect(store.figures).toEqual({ decoded: 10_000, kept: 10_000 })
  folder.put(acmeJson([...all.slice(0, 4999), ...manyCertificates(first, 1, 10_000), ...all.slice(5000)]))
  const { content } = await store.read(NEVER)
  expect(content!.resolvers[0]!.certificates).toHaveLength(10_000)
  expect(store.figures).toEqual({ decoded: 10_001, kept: 10_000 })
})

it('asked by fifty at once, it is looked at once', async () => {
  folder.put(acmeJson([first, second]))
  const store = folder.open()
  const parsed = vi.spyOn(JSON, 'parse')
  const readings = await Promise.all(Array.from({ length: 50 }, () => store.read(NEVER)))
  expect(parsed).toHaveBeenCalledTimes(1)
  parsed.mockRestore()
  expect(new Set(readings).size).toBe(1)
})

it('who gives up leaves at once with their own reason, and the others get their answer', async () => {
  folder.put(acmeJson([first]))
  const store = folder.open()
  const leaving = new AbortController()
  const left = store.read(leaving.signal)
  const stayed = store.read(NEVER)
  leaving.abort(new Error('gone home'))
  await expect(left).rejects.toThrow('gone home')
  expect((await stayed).state).toBe('good')
  await expect(store.read(leaving.signal)).rejects.toThrow('gone home')
})

it('when all have given up, the look ends, and the next one begins anew', async () => {
  folder.put(acmeJson([first]).slice(0, -5))
  const store = folder.open()
  const leaving = new AbortController()
  folder.clock.meanwhile = () => leaving.abort(new Error('gone home'))
  await expect(store.read(leaving.signal)).rejects.toThrow('gone home')
  folder.clock.meanwhile = () => undefined
  folder.put(acmeJson([first]))
  expect((await store.read(NEVER)).state).toBe('good')
  expect(folder.clock.slept).toHaveLength(1)
})
