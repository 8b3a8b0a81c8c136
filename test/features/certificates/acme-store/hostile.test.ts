/** The proxy's certificate store when its text is made to do harm, and what must never leave it. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
  type Issued,
} from '../../../fakes/certificate-authority.ts'
import { NEVER, type StoreFolder, storeFolder } from './store-folder.ts'
import { itOneIn } from '../../../kit/in-depth.ts'

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

const MOST = 16 * 1024 * 1024

itOneIn(4).each<[string, () => string, string]>([
  ['brackets, open', () => '['.repeat(MOST), 'refused'],
  ['brackets, closed', () => '['.repeat(MOST / 2) + ']'.repeat(MOST / 2), 'refused'],
  ['objects in objects', () => '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), 'refused'],
  [
    'a number of sixteen million digits',
    () => `{"le":{"Account":null,"Certificates":null,"n":${'9'.repeat(MOST - 60)}}}`,
    'good',
  ],
  [
    'a name of a million letters',
    () => `{"${'a'.repeat(1e6)}":{"Account":null,"Certificates":null}}`,
    'refused',
  ],
  ['a string that never ends', () => `{"${'\\"'.repeat(1e6)}`, 'busy'],
  ['an account in the place of a name', () => '{"Account":{"Email":"a@b"}}', 'refused'],
])('%s: no harm', async (_title, text, state) => {
  folder.put(text())
  const before = process.memoryUsage().rss
  expect((await folder.open().read(NEVER)).state).toBe(state)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
})

it('names of prototypes are names like others', async () => {
  folder.put('{"__proto__":{"Account":null},"constructor":{"Certificates":[]},"toString":{"Account":null}}')
  const { content } = await folder.open().read(NEVER)
  expect(content!.resolvers.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'toString'])
  expect(({} as Record<string, unknown>)['Account']).toBeUndefined()
})

it('of two resolvers of one name the last counts, as for the proxy', async () => {
  const entry = JSON.stringify((JSON.parse(acmeJson([first])) as Record<string, unknown>)['letsencrypt'])
  folder.put(`{"le":{"Account":null,"Certificates":null},"le":${entry}}`)
  const { content } = await folder.open().read(NEVER)
  expect(content!.resolvers).toMatchObject([{ name: 'le', registration: 'valid' }])
  expect(content!.resolvers[0]!.certificates).toHaveLength(1)
})

it('what cannot be decoded is counted, once tried is not tried again, and is forgotten with its content', async () => {
  const wrong = { certificate: 'AAAA' }
  const store = folder.open()
  for (const rest of [{}, null, { certificate: 7 }]) {
    folder.put(JSON.stringify({ le: { Account: null, Certificates: [wrong, wrong, {}, rest] } }))
    const { content } = await store.read(NEVER)
    expect(content!.resolvers[0]).toMatchObject({ certificates: [], undecodable: 4 })
    expect(store.figures).toEqual({ decoded: 1, kept: 1 })
  }
})

const CANARY = 'canary7f3a'

it('no key, address or account leaves by any way: content, details, errors', async () => {
  const text = acmeJson([first])
    .replaceAll('somebody@example.com', `${CANARY}@example.com`)
    .replaceAll('acct/7', `acct/${CANARY}`)
    .replaceAll('c2VjcmV0LWFjY291bnQta2V5', CANARY)
  const key = Buffer.from(first.key).toString('base64')
  expect(text).toContain(key)
  const store = folder.open()
  const forms = [
    text,
    text.slice(0, -20),
    text.replace('"letsencrypt":{', `"letsencrypt":{"${CANARY}":1,`),
    `{"${CANARY}@example.com":"${key}"}`,
    `["${CANARY}"]`,
    `"${CANARY}"`,
    `{"DomainsCertificate":{"${CANARY}":"${key}"}}`,
    text.replace('"valid"', `"${CANARY}"`),
    text.replace(/"certificate":"[^"]*"/, `"certificate":"${key}"`),
  ]
  for (const form of forms) {
    folder.put(form)
    const told = JSON.stringify(await store.read(NEVER))
    for (const secret of [CANARY, 'BEGIN', key.slice(0, 40), key.slice(-40)])
      expect(told).not.toContain(secret)
  }
})

it('any JSON at all: a reading, and no word of it leaves but the names of resolvers', async () => {
  const word = fc.constantFrom(
    CANARY,
    `${CANARY}x`,
    'Account',
    'Certificates',
    'certificate',
    'Registration',
    'body',
    'status',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, 1e308, -0, true, CANARY),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  const store = folder.open()
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom('le', '__proto__'), tree), async (json) => {
      folder.put(JSON.stringify(json))
      const reading = await store.read(NEVER)
      expect(['good', 'refused']).toContain(reading.state)
      expect(JSON.stringify(reading)).not.toContain(CANARY)
    }),
    { numRuns: 300 },
  )
})

it('any beginning of a store, and any bytes: never an error, never good', async () => {
  const whole = acmeJson([first])
  const store = folder.open()
  await fc.assert(
    // With no byte at all it is one that the proxy has just made.
    fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
      folder.put(whole.slice(0, length))
      expect(await store.read(NEVER)).toMatchObject({ state: 'busy', content: null })
    }),
    { numRuns: 200 },
  )
})
