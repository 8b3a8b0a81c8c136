/** Keys and chains on disk: whole or not there, for their owner alone, and never anywhere else. */
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync } from 'node:crypto'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateFiles } from '../../../src/features/certificates/files/certificate-files.ts'
import { keyFits } from '../../../src/features/certificates/x509/key-fits.ts'
import { readCertificate } from '../../../src/features/certificates/x509/read-certificate.ts'
import { isWholeChain, plainKey } from '../../../src/features/certificates/x509/whole-chain.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { NewVersion } from '../../../src/features/certificates/files/port.ts'
import { certificateAuthority } from '../../fakes/certificate-authority.ts'
import { namesIn, never, scratch, tempsIn, textAt } from './scratch.ts'

const authority = certificateAuthority()
afterAll(() => authority.close())
const NAMES = ['*.example.com', 'example.com']
const first = authority.issue({ names: NAMES })
const second = authority.issue({ names: NAMES, key: 'rsa' })

const versionOf = ({ cert, key }: typeof first, name = 'example.com'): NewVersion => ({
  name,
  fingerprint: readCertificate(cert).fingerprint,
  key_pem: key,
  chain_pem: cert,
})
const ONE = versionOf(first)
const TWO = versionOf(second)

const PARTS = { read: readCertificate, fits: keyFits, is_whole: isWholeChain, plain: plainKey }
const opened = (directory = join(scratch(), 'certificates')) => certificateFiles(directory, PARTS)
const modeOf = (path: string): number => statSync(path).mode & 0o777
const failing = async (deed: Promise<unknown>): Promise<Failure> => {
  const error = await deed.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

describe('versions', () => {
  test('stand beside each other, private, byte for byte, and are the same for another process', async () => {
    const files = opened()
    expect(await files.list(never)).toEqual([])
    const one = await files.store(ONE, never)
    const two = await files.store(TWO, never)
    expect(one.chain_file).toBe(join(files.directory, 'example.com', `${ONE.fingerprint}.chain.pem`))
    expect([textAt(one.key_file), textAt(one.chain_file)]).toEqual([ONE.key_pem, ONE.chain_pem])
    for (const file of [one.key_file, one.chain_file, two.key_file, two.chain_file])
      expect(modeOf(file)).toBe(0o600)
    expect(modeOf(dirname(one.key_file))).toBe(0o700)
    expect(tempsIn(dirname(one.key_file))).toEqual([])
    const all = [one, two].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    expect(await files.list(never)).toEqual(all)
    expect(await opened(files.directory).list(never)).toEqual(all)
    expect(all.map(({ fault }) => fault)).toEqual([null, null])
  })

  test('stored twice are stored once; dropped, only that one goes, and the folder with the last', async () => {
    const files = opened()
    await files.store(ONE, never)
    await files.store(ONE, never)
    await files.store(TWO, never)
    await files.drop(ONE)
    await files.drop(ONE)
    expect((await files.list(never)).map(({ fingerprint }) => fingerprint)).toEqual([TWO.fingerprint])
    await files.drop(TWO)
    // It tells an empty folder from one that is not mounted.
    expect(namesIn(files.directory)).toEqual(['.plumbline'])
    await files.drop(TWO)
    await files.assertPresent(1)
  })

  test('of a wildcard have a folder without a star', async () => {
    const files = opened()
    const { key_file } = await files.store({ ...ONE, name: '*.example.com' }, never)
    expect(dirname(key_file)).toBe(join(files.directory, '_wildcard.example.com'))
    expect((await files.list(never)).map(({ name }) => name)).toEqual(['*.example.com'])
  })

  test.each<[string, (files: { key_file: string; chain_file: string }) => void, RegExp]>([
    ['a key of another', ({ key_file }) => writeFileSync(key_file, TWO.key_pem), /key\.pem does not fit/],
    ['no key at all', ({ key_file }) => writeFileSync(key_file, ''), /key\.pem does not fit/],
    ['another chain', ({ chain_file }) => writeFileSync(chain_file, TWO.chain_pem), /another certificate/],
    ['half a chain', ({ chain_file }) => writeFileSync(chain_file, ONE.chain_pem.slice(0, 99)), /another/],
  ])(
    'spoilt by hand are seen at the next look, and mended by storing again: %s',
    async (_what, spoil, fault) => {
      const files = opened()
      const stored = await files.store(ONE, never)
      expect(await files.list(never)).toEqual([stored])
      spoil(stored)
      expect((await files.list(never))[0]?.fault).toMatch(fault)
      expect(await files.store(ONE, never)).toEqual(stored)
      expect(await files.list(never)).toEqual([stored])
    },
  )

  test('half of which are gone are listed with what is missing, and can be dropped', async () => {
    const files = opened()
    const { chain_file, key_file } = await files.store(ONE, never)
    const folder = dirname(chain_file)
    const half = opened()
    for (const file of [chain_file, key_file]) {
      mkdirSync(join(half.directory, 'example.com'), { recursive: true })
      writeFileSync(join(half.directory, 'example.com', file.slice(folder.length + 1)), readFileSync(file))
      const [version] = await half.list(never)
      expect(version?.fault).toMatch(/is missing/)
      await half.drop(version!)
      expect(await half.list(never)).toEqual([])
    }
  })
})

describe('requests', () => {
  const ORDER = { name: 'example.com', order_id: '0b9e0a52-0000-4000-8000-000000000000' }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const REQUEST = {
    key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    csr: Buffer.from(Array.from({ length: 300 }, (_, i) => i % 256)),
  }

  test('come back as they were, for another process too, private, and no version is seen', async () => {
    const files = opened()
    expect(await files.request(ORDER, never)).toBeNull()
    await files.keepRequest(ORDER, REQUEST, never)
    expect(await opened(files.directory).request(ORDER, never)).toEqual(REQUEST)
    expect(modeOf(join(files.directory, 'example.com', `order-${ORDER.order_id}.pem`))).toBe(0o600)
    expect(await files.requests(never)).toEqual([ORDER])
    expect(await files.list(never)).toEqual([])
    await files.dropRequest(ORDER)
    await files.dropRequest(ORDER)
    expect(await files.requests(never)).toEqual([])
    expect(namesIn(files.directory)).toEqual([])
  })

  test.each(['', 'nonsense', REQUEST.key_pem])('a spoilt one is lost: %#', async (text) => {
    const files = opened()
    await files.keepRequest(ORDER, REQUEST, never)
    writeFileSync(join(files.directory, 'example.com', `order-${ORDER.order_id}.pem`), text)
    expect(await files.request(ORDER, never)).toBeNull()
    await files.keepRequest(ORDER, REQUEST, never)
    expect(await files.request(ORDER, never)).toEqual(REQUEST)
  })
})

describe('nothing leads out of the directory', () => {
  test.each([
    '..',
    '.',
    '',
    '../x',
    'a/b',
    'a/../../b',
    '/etc',
    'a..b',
    '.a',
    'a.',
    'A.example.com',
    '*.*.a',
    '*',
    'a\0b',
    'a b',
    '_wildcard.example.com',
    `*.${`${'a'.repeat(60)}.`.repeat(4)}com`,
  ])('%j is no name', async (name) => {
    const files = opened()
    for (const deed of [
      files.store({ ...ONE, name }, never),
      files.drop({ ...ONE, name }),
      files.keepRequest({ name, order_id: 'a' }, { key_pem: 'k', csr: Buffer.from('c') }, never),
      files.request({ name, order_id: 'a' }, never),
      files.dropRequest({ name, order_id: 'a' }),
    ])
      expect((await failing(deed)).code).toBe('malformed_request')
    expect(namesIn(files.directory)).toEqual([])
  })

  test.each(['../../x', 'ab', `${'a'.repeat(64)}/..`, 'A'.repeat(64)])(
    '%j is no fingerprint',
    async (fingerprint) => {
      expect((await failing(opened().drop({ ...ONE, fingerprint }))).code).toBe('malformed_request')
    },
  )

  test('a folder that is a link: nothing is written, read or deleted through it', async () => {
    const files = opened()
    const elsewhere = scratch()
    const { key_file } = await certificateFiles(elsewhere, PARTS).store(ONE, never)
    mkdirSync(files.directory)
    symlinkSync(dirname(key_file), join(files.directory, 'example.com'))
    expect((await failing(files.store(TWO, never))).code).toBe('storage_unwritable')
    expect(await files.list(never)).toEqual([])
    await files.drop(ONE)
    expect(namesIn(dirname(key_file))).toHaveLength(2)
  })

  test.each<[string, (directory: string) => void]>([
    ['a file', (directory) => writeFileSync(directory, 'in the way')],
    ['a link', (directory) => symlinkSync(scratch(), directory)],
  ])('%s in the place of all folders is unknown, never "there are none"', async (_title, put) => {
    const files = opened()
    put(files.directory)
    const failure = await failing(files.list(never))
    expect(failure.code).toBe('component_unavailable')
    expect(failure.message).toContain(files.directory)
  })

  test('a glance sees each file that is changed, replaced or gone', async () => {
    const files = opened()
    const { key_file, chain_file } = await files.store(ONE, never)
    // What has just changed may change again within the same tick of the clock: it has no stamp yet.
    const settled = async () => {
      await expect.poll(() => files.glance(ONE), { interval: 5 }).not.toBeNull()
      return files.glance(ONE)
    }
    const first = await settled()
    writeFileSync(chain_file, 'another one')
    expect(files.glance(ONE)).not.toBe(first)
    const second = await settled()
    expect(second).not.toBe(first)
    writeFileSync(key_file, 'no key')
    expect(await settled()).not.toBe(second)
    expect(await files.list(never)).toMatchObject([{ altered: true }])
    await files.drop(ONE)
    expect(files.glance(ONE)).toBeNull()
  })

  test('a file that is a link is replaced, never followed', async () => {
    const files = opened()
    const { key_file } = await files.store(ONE, never)
    const target = join(scratch(), 'precious')
    writeFileSync(target, 'precious')
    await files.drop(ONE)
    mkdirSync(dirname(key_file), { recursive: true })
    symlinkSync(target, key_file)
    await files.store(ONE, never)
    expect(readFileSync(target, 'utf8')).toBe('precious')
    expect(lstatSync(key_file).isSymbolicLink()).toBe(false)
  })

  test('what others put there is left alone and not listed', async () => {
    const files = opened()
    await files.store(ONE, never)
    writeFileSync(join(files.directory, 'README'), 'x')
    mkdirSync(join(files.directory, 'Not A Name'))
    writeFileSync(join(files.directory, 'example.com', 'fullchain.pem'), 'x')
    expect(await files.list(never)).toHaveLength(1)
    await files.drop(ONE)
    expect(namesIn(join(files.directory, 'example.com'))).toEqual(['fullchain.pem'])
  })
})

test('a folder that cannot be written is told by its path', async () => {
  const files = opened()
  writeFileSync(files.directory, 'in the way')
  const failure = await failing(files.store(ONE, never))
  expect(failure.code).toBe('storage_unwritable')
  expect(failure.message).toContain(files.directory)
})

test('who goes away before the end leaves no version', async () => {
  const files = opened()
  const aborted = AbortSignal.abort(new Error('gone'))
  await expect(files.store(ONE, aborted)).rejects.toThrow('gone')
  expect(await files.list(never)).toEqual([])
})
