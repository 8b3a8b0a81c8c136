/** The proxy's certificate store when it cannot be read: said in words, and never told as "no certificates". */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AcmeStoreFile } from '../../../../src/features/certificates/acme-store/acme-store.ts'
import { readCertificate } from '../../../../src/features/certificates/x509/read-certificate.ts'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../../../fakes/certificate-authority.ts'
import { NEVER, type StoreFolder, storeFolder } from './store-folder.ts'

let authority: CertificateAuthority
let first: Issued
beforeAll(() => {
  authority = certificateAuthority()
  first = authority.issue({ names: ['a.example.com'] })
})
afterAll(() => authority.close())

let folder: StoreFolder
beforeEach(() => {
  folder = storeFolder()
})
afterEach(() => folder.close())

const put = (text: string) => folder.put(text)
const MINUTE_MS = 60_000

it.each<[string, () => void, string, RegExp]>([
  ['is not there', () => undefined, 'absent', /There is no file/],
  ['others may read', () => (put(acmeJson([first])), chmodSync(folder.path, 0o640)), 'refused', /chmod 600/],
  ['others may write', () => (put(acmeJson([first])), chmodSync(folder.path, 0o602)), 'refused', /chmod 600/],
  ['is a link', () => symlinkSync('/etc/hostname', folder.path), 'refused', /symbolic link/],
  ['is a link to nowhere', () => symlinkSync('/nowhere', folder.path), 'refused', /symbolic link/],
  ['is a directory', () => mkdirSync(folder.path, { mode: 0o700 }), 'refused', /regular file/],
  ['is a FIFO', () => void execFileSync('mkfifo', ['-m', '600', folder.path]), 'refused', /regular file/],
  [
    'is enormous',
    () => (put(''), truncateSync(folder.path, 500 * 1024 * 1024)),
    'refused',
    /more than the 16777216/,
  ],
  ['is a list', () => put('[]'), 'refused', /no object/],
  ['is null', () => put('null'), 'refused', /no object/],
  ['is of Traefik 1', () => put('{"Account":{},"DomainsCertificate":{}}'), 'refused', /Traefik 1/],
  ['is something else', () => put('{"a":"b"}'), 'refused', /no resolver/],
  [
    'has a list of another kind',
    () => put('{"le":{"Account":null,"Certificates":{}}}'),
    'refused',
    /no resolver/,
  ],
  [
    'has an account of another kind',
    () => put('{"le":{"Account":7,"Certificates":[]}}'),
    'refused',
    /no resolver/,
  ],
  ['is blank', () => put(' \n'), 'busy', /is empty, as while/],
  ['is cut', () => put(acmeJson([first]).slice(0, -5)), 'busy', /is cut, as while/],
  [
    'is full of zeros, as after a power cut',
    () => (put(''), truncateSync(folder.path, 900)),
    'busy',
    /is cut/,
  ],
])(
  'because it %s: said to be so, and nothing is told of its content',
  async (_title, prepare, state, detail) => {
    prepare()
    const reading = await folder.open().read(NEVER)
    expect(reading).toMatchObject({ state, content: null, content_at: null })
    expect(reading.detail).toMatch(detail)
  },
)

it('because it is a socket', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(folder.path, resolve))
  try {
    expect(await folder.open().read(NEVER)).toMatchObject({ state: 'refused', content: null })
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})

it('because we may not: said with the cure, and what was read before is still told', async () => {
  const store = folder.open()
  put(acmeJson([first]))
  folder.clock.pass(2000)
  await store.read(NEVER)
  const root = process.geteuid!() === 0
  chmodSync(folder.path, root ? 0o600 : 0o000)
  chmodSync(folder.directory, 0o755)
  if (root) process.seteuid!(65_534)
  try {
    // The stamp tells that nothing changed for a reader who may look at it; one who knows nothing yet must open it.
    const reading = await folder.open().read(NEVER)
    expect(reading).toMatchObject({ state: 'refused', file: null })
    expect(reading.detail).toMatch(/may not be read \(EACCES\). Run Plumbline as the file's owner/)
  } finally {
    if (root) process.seteuid!(0)
  }
})

it('because its folder has become a loop of links: nothing is thrown', async () => {
  const inner = join(folder.directory, 'inner')
  const path = join(inner, 'acme.json')
  mkdirSync(inner)
  put(acmeJson([first]))
  execFileSync('cp', ['-p', folder.path, path])
  const store = new AcmeStoreFile(path, { read: readCertificate, clock: folder.clock })
  folder.clock.pass(2000)
  expect((await store.read(NEVER)).state).toBe('good')
  rmSync(inner, { recursive: true })
  symlinkSync('inner', inner)
  const reading = await store.read(NEVER)
  expect(reading.state).toBe('refused')
  expect(reading.content!.resolvers[0]!.certificates).toHaveLength(1)
})

describe('a store that was whole', () => {
  let store: AcmeStoreFile
  beforeEach(async () => {
    put(acmeJson([first]))
    store = folder.open()
    folder.clock.pass(2000)
    await store.read(NEVER)
  })

  it.each<[string, () => void, string]>([
    ['cut', () => put(acmeJson([first]).slice(0, 100)), 'busy'],
    ['emptied', () => put(''), 'busy'],
    ['gone', () => rmSync(folder.path), 'absent'],
    ['something else', () => put('[]'), 'refused'],
    ['opened to others', () => chmodSync(folder.path, 0o644), 'refused'],
  ])('and is %s now: the last good reading is told, and when it was', async (_title, change, state) => {
    const before = await store.read(NEVER)
    change()
    const reading = await store.read(NEVER)
    expect(reading).toMatchObject({ state, content: before.content, content_at: before.content_at })
  })

  it('is tried five times, and is good as soon as the proxy is done', async () => {
    put('')
    expect((await store.read(NEVER)).state).toBe('busy')
    expect(folder.clock.slept).toEqual([150, 150, 150, 150])
    folder.clock.meanwhile = () => put(acmeJson([first, first]))
    const reading = await store.read(NEVER)
    expect(reading.state).toBe('good')
    expect(reading.content!.resolvers[0]!.certificates).toHaveLength(2)
  })

  it('and was left cut by a proxy that died is not waited for, and the cure is told', async () => {
    put(acmeJson([first]).slice(0, 100))
    folder.clock.pass(2 * MINUTE_MS)
    const reading = await store.read(NEVER)
    expect(reading).toMatchObject({
      state: 'busy',
      detail: expect.stringMatching(/has been cut since .*restart/),
    })
    expect(folder.clock.slept).toEqual([])
    expect(reading.content).not.toBeNull()
  })

  it('and is empty after the host slept in the middle of a write holds what it held', async () => {
    put('')
    folder.clock.step(60 * MINUTE_MS)
    expect(await store.read(NEVER)).toMatchObject({
      state: 'busy',
      content: { resolvers: [{ name: 'letsencrypt' }] },
    })
  })

  it('and was seen empty for a minute on end is empty', async () => {
    put('')
    expect((await store.read(NEVER)).state).toBe('busy')
    folder.clock.pass(30_000)
    expect((await store.read(NEVER)).state).toBe('busy')
    folder.clock.pass(31_000)
    expect(await store.read(NEVER)).toMatchObject({ state: 'good', content: { resolvers: [] } })
  })
})

it.each([['no byte'], ['{}']])(
  'a store that the proxy has just made, with %s in it, is good and empty',
  async (bytes) => {
    put(bytes === '{}' ? bytes : '')
    expect(await folder.open().read(NEVER)).toMatchObject({
      state: 'good',
      detail: null,
      content: { resolvers: [] },
    })
  },
)

it('a store that was never seen and is in the middle of a write is read when that has ended', async () => {
  put('')
  folder.clock.meanwhile = () => put(acmeJson([first]))
  expect(await folder.open().read(NEVER)).toMatchObject({
    state: 'good',
    content: { resolvers: [{ name: 'letsencrypt' }] },
  })
})

it('a store that has been empty since the proxy’s first start is good and empty', async () => {
  put('')
  folder.clock.pass(2 * MINUTE_MS)
  expect(await folder.open().read(NEVER)).toMatchObject({ state: 'good', content: { resolvers: [] } })
})
