/** The proxy's certificate store: read whatever it does to its file, and nothing secret leaves. */
import { execFileSync, spawn } from 'node:child_process'
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AcmeStoreFile } from '../../../src/adapters/acme-store/acme-store.ts'
import { readCertificate } from '../../../src/adapters/x509/read-certificate.ts'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../../fakes/certificate-authority.ts'

let authority: CertificateAuthority
let [first, second]: Issued[] = []
beforeAll(() => {
  authority = certificateAuthority()
  first = authority.issue({ names: ['b.example.com', 'A.example.com'] })
  second = authority.issue({ names: ['*.wild.example.com'], key: 'rsa' })
})
afterAll(() => authority.close())

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-acme-'))
  path = join(directory, 'acme.json')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Waiting between tries costs no time. */
const clock: Clock = { ...systemClock, sleep: async () => undefined }
const open = (over: Clock = clock) => new AcmeStoreFile(path, { read: readCertificate, clock: over })
const never = new AbortController().signal

/** As the proxy wrote it some time ago. */
function put(text: string, age_s = 10): void {
  writeFileSync(path, text, { mode: 0o600 })
  const at = Date.now() / 1000 - age_s
  utimesSync(path, at, at)
}

describe('a store that is whole', () => {
  it('tells names, dates, issuer and key type of each, and of the account its status', async () => {
    put(acmeJson([first!, second!]))
    const reading = await open().read(never)
    expect(reading).toMatchObject({ state: 'good', detail: null, file: { mode: '0600', path } })
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

  it('lets no key, address or account out', async () => {
    put(acmeJson([first!]))
    const told = JSON.stringify(await open().read(never))
    for (const secret of [
      'somebody@',
      'acct/7',
      'c2VjcmV0',
      'BEGIN',
      Buffer.from(first!.key).toString('base64').slice(0, 40),
    ])
      expect(told).not.toContain(secret)
  })

  it('that did not change costs one stat, and decodes nothing', async () => {
    put(acmeJson([first!, second!]))
    // The change itself must be old enough that no other could share its stamp.
    const store = open({ ...clock, now: () => Date.now() + 5000 })
    const before = await store.read(never)
    const stat = vi.spyOn(fs, 'lstatSync')
    const opened = vi.spyOn(fs.promises, 'open')
    expect(await store.read(never)).toBe(before)
    expect(opened).not.toHaveBeenCalled()
    expect(store.decoded).toBe(2)
    stat.mockRestore()
    opened.mockRestore()
  })

  it('with one certificate renewed decodes that one', async () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ ...first!, cert: `${first!.cert}\n#${i}` }))
    put(acmeJson(many))
    const store = open()
    await store.read(never)
    const before = store.decoded
    put(acmeJson([...many.slice(1), second!]), 9)
    const { content } = await store.read(never)
    expect(content!.resolvers[0]!.certificates).toHaveLength(20)
    expect(store.decoded - before).toBe(1)
  })

  it.each<[string, unknown]>([
    ['nulls for all that may be null', { le: { Account: null, Certificates: null } }],
    ['no resolver yet', {}],
  ])('of %s is good and empty', async (_title, json) => {
    put(JSON.stringify(json))
    const reading = await open().read(never)
    expect(reading.state).toBe('good')
    expect(reading.content!.resolvers.flatMap(({ certificates }) => certificates)).toEqual([])
  })

  it('counts what it cannot decode', async () => {
    put(
      JSON.stringify({
        le: { Account: null, Certificates: [{ certificate: 'AAAA' }, {}, null, { certificate: 7 }] },
      }),
    )
    expect((await open().read(never)).content!.resolvers[0]).toMatchObject({
      certificates: [],
      undecodable: 4,
    })
  })

  it('keeps hostile names from doing harm', async () => {
    put('{"__proto__":{"Account":null},"constructor":{"Certificates":[]}}')
    const { content } = await open().read(never)
    expect(content!.resolvers.map(({ name }) => name)).toContain('constructor')
    expect(({} as Record<string, unknown>)['Account']).toBeUndefined()
  })
})

describe('a store that cannot be read', () => {
  it.each<[string, () => void, string, RegExp]>([
    ['is not there', () => undefined, 'absent', /There is no file/],
    ['others may read', () => (put(acmeJson([first!])), chmodSync(path, 0o640)), 'refused', /chmod 600/],
    ['is a link', () => symlinkSync('/etc/hostname', path), 'refused', /symbolic link/],
    ['is a directory', () => mkdirSync(path), 'refused', /regular file|cannot be read/],
    ['is a FIFO', () => void execFileSync('mkfifo', ['-m', '600', path]), 'refused', /regular file/],
    ['is enormous', () => (put(''), truncateSync(path, 500 * 1024 * 1024)), 'refused', /bytes/],
    ['is a list', () => put('[]'), 'refused', /no object/],
    ['is of Traefik 1', () => put('{"Account":{},"DomainsCertificate":{}}'), 'refused', /Traefik 1/],
    ['is something else', () => put('{"a":"b"}'), 'refused', /no resolver/],
    ['was emptied a moment ago', () => put('', 0), 'busy', /rewrites/],
    ['is cut', () => put(acmeJson([first!]).slice(0, -5)), 'busy', /rewrites/],
  ])('because it %s is said to be so', async (_title, prepare, state, detail) => {
    prepare()
    const reading = await open().read(never)
    expect(reading).toMatchObject({ state, content: null })
    expect(reading.detail).toMatch(detail)
  })

  it('still tells what it held when it was last whole', async () => {
    put(acmeJson([first!]))
    const store = open()
    await store.read(never)
    put(acmeJson([first!]).slice(0, 100), 0)
    const reading = await store.read(never)
    expect(reading.state).toBe('busy')
    expect(reading.content!.resolvers[0]!.certificates).toHaveLength(1)
  })

  it('that has been empty since the proxy’s first start holds nothing', async () => {
    put('', 3600)
    expect(await open().read(never)).toMatchObject({ state: 'good', content: { resolvers: [] } })
  })
})

it(
  'a writer that cuts and rewrites the file all the time: never an error, never "no certificates"',
  { timeout: 60_000 },
  async () => {
    const text = acmeJson(Array.from({ length: 50 }, () => first!))
    put(text)
    const program = `const fs = require('node:fs'); const text = fs.readFileSync(0);
    for (;;) { const file = fs.openSync(process.argv[1], 'r+'); fs.ftruncateSync(file, 0);
      for (let at = 0; at < text.length; at += 4096) fs.writeSync(file, text, at, Math.min(4096, text.length - at), at);
      fs.closeSync(file) }`
    const writer = spawn(process.execPath, ['-e', program, path], { stdio: ['pipe', 'ignore', 'inherit'] })
    writer.stdin.end(text)
    try {
      const store = open({ ...systemClock, sleep: (ms) => systemClock.sleep(ms / 30) })
      const ends = Date.now() + (process.env['FAULTS'] === 'all' ? 30_000 : 1500)
      const states = new Map<string, number>()
      while (Date.now() < ends) {
        const { state, content } = await store.read(never)
        states.set(state, (states.get(state) ?? 0) + 1)
        expect(['good', 'busy']).toContain(state)
        if (content !== null) expect(content.resolvers[0]?.certificates).toHaveLength(50)
      }
      expect(states.get('good')).toBeGreaterThan(0)
    } finally {
      writer.kill('SIGKILL')
    }
  },
)
