/** What the proxy's file of certificates says, and what is taken away once it was written. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import type {
  StoredVersion,
  VersionFiles,
  VersionId,
} from '../../../../src/features/certificates/files/port.ts'
import type { CertificateOrder } from '../../../../src/features/certificates/order-records.ts'
import type { InstalledCertificate } from '../../../../src/features/certificates/records.ts'
import type { CertificatesDesired } from '../../../../src/features/certificates/target/desire.ts'
import { entriesFor } from '../../../../src/features/certificates/tls-file/entries.ts'
import { renderFile } from '../../../../src/features/certificates/tls-file/target.ts'
import { namedDetail } from '../../../../src/features/certificates/tls-file/named.ts'
import { sweep } from '../../../../src/features/certificates/tls-file/sweep.ts'
import type { Reading } from '../../../../src/features/certificates/target/inventory.ts'

const DIRECTORY = '/data/certificates'
const version = (name: string, fingerprint = 'now', fault: string | null = null): StoredVersion => ({
  name,
  fingerprint,
  key_file: `${DIRECTORY}/${name}/${fingerprint}.key`,
  chain_file: `${DIRECTORY}/${name}/${fingerprint}.pem`,
  fault,
  chain_sha256: 'chain',
  key_sha256: 'key',
  plain_key_sha256: 'key',
  whole_chain: true,
  leaf: null,
  chain_length: 2,
  access: [],
  unreadable: null,
})
const certificate = (name: string, names: readonly string[]): InstalledCertificate => ({
  name,
  names,
  fingerprint: 'now',
  directory: 'https://ca.test',
  issuer: '',
  serial: '1',
  key_type: '',
  not_before: 0,
  not_after: Number.MAX_SAFE_INTEGER,
  obtained_at: 0,
  ari_id: null,
  renewal: null,
})
const pathsOf = ({ name, fingerprint }: VersionId): VersionFiles => version(name, fingerprint)
const leafed = (
  name: string,
  fingerprint: string,
  leaf: Partial<InstalledCertificate> = {},
): StoredVersion => ({
  ...version(name, fingerprint),
  leaf: { ...certificate(name, [name]), fingerprint, ...leaf },
})
const reading = (
  installed: Readonly<Record<string, readonly string[]>>,
  versions: readonly StoredVersion[] = Object.keys(installed).map((name) => version(name)),
): Reading => ({
  certificates: new Map(Object.entries(installed).map(([name, names]) => [name, certificate(name, names)])),
  chains: new Map(),
  orders: new Map(),
  failure: new Map(),
  versions,
  isNamed: () => false,
})
const wanting = (...all: readonly (readonly string[])[]): CertificatesDesired => ({
  wishes: all.map((names) => ({ name: names[0]!, names, domain_ids: [] })),
  kept: [],
})

describe('the proxy is given', () => {
  it.each<[string, CertificatesDesired, Reading, readonly string[]]>([
    [
      'what is wanted',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test'], 'b.test': ['b.test'] }),
      ['a.test now'],
    ],
    ['nothing that is not there', wanting(['a.test']), reading({}), []],
    [
      'one whose key is wrong, as long as the proxy may hold it in memory',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test'] }, [version('a.test', 'now', 'no key')]),
      ['a.test now'],
    ],
    [
      'one whose files are gone, and no older version',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test'] }, [version('a.test', 'old')]),
      ['a.test now'],
    ],
    [
      'one whose files are gone, and what stands in for it',
      wanting(['a.x.test']),
      reading({ '*.x.test': ['*.x.test'], 'a.x.test': ['a.x.test'] }, [version('*.x.test')]),
      ['*.x.test now', 'a.x.test now'],
    ],
    [
      'a newer version, where an older database names one that is gone',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test'] }, [leafed('a.test', 'new')]),
      ['a.test new'],
    ],
    [
      'none that ends earlier',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test'] }, [leafed('a.test', 'old', { not_after: 1 })]),
      ['a.test now'],
    ],
    [
      'none for fewer names',
      wanting(['a.test']),
      reading({ 'a.test': ['a.test', 'b.test'] }, [leafed('a.test', 'new')]),
      ['a.test now'],
    ],
    [
      'what stands in until its successor is there',
      wanting(['*.x.test', 'x.test']),
      reading({ 'x.test': ['x.test'] }),
      ['x.test now'],
    ],
    [
      'both while the successor lacks a name',
      wanting(['*.x.test', 'x.test']),
      reading({ '*.x.test': ['*.x.test'], 'x.test': ['x.test'] }),
      ['*.x.test now', 'x.test now'],
    ],
    [
      'the successor alone',
      wanting(['*.x.test', 'x.test']),
      reading({ '*.x.test': ['*.x.test', 'x.test'], 'x.test': ['x.test'] }),
      ['*.x.test now'],
    ],
    [
      'one for fewer names rather than none',
      wanting(['a.test', 'b.test']),
      reading({ 'a.test': ['a.test'] }),
      ['a.test now'],
    ],
  ])('%s', (_title, desired, seen, expected) => {
    const entries = entriesFor(desired, seen, pathsOf)
    expect(entries.map(({ name, fingerprint }) => `${name} ${fingerprint}`)).toEqual(expected)
  })
})

describe('the file', () => {
  const rendered = (entries: readonly StoredVersion[], in_proxy = DIRECTORY) =>
    Buffer.concat(renderFile(entries, { directory: DIRECTORY, in_proxy }).chunks).toString()

  it('names chain and key as the proxy sees them', () => {
    expect(rendered([version('a.test'), version('b.test')], '/certs')).toBe(
      '# Written by Plumbline; edits are undone.\n' +
        'tls:\n  certificates:\n' +
        '    - certFile: "/certs/a.test/now.pem"\n      keyFile: "/certs/a.test/now.key"\n' +
        '    - certFile: "/certs/b.test/now.pem"\n      keyFile: "/certs/b.test/now.key"\n',
    )
  })

  it('says which certificate a hand took out or put in, in either spelling', () => {
    const wanted = rendered([version('a.test'), version('b.test')], '/certs')
    const without = rendered([version('a.test')], '/certs')
    expect(namedDetail(without, wanted)).toMatch(/: it lacks b\.test \(now\.pem\)$/)
    const more = `${wanted}    - certFile: /certs/c.test/old.pem\n      keyFile: /certs/c.test/old.key\n`
    expect(namedDetail(more, wanted)).toMatch(/: it names c\.test \(old\.pem\), which it is not to name$/)
    const text = `${wanted}    - certFile: MIIEvQIBADANBgkqhkiG9w0/BAQEFAASCBKcwggSj\n`
    expect(namedDetail(text, wanted)).toMatch(/: it names an entry that is no path, which/)
    expect(namedDetail(`${wanted}# mine\n`, wanted)).toMatch(/: other lines of it differ$/)
    expect(namedDetail('', wanted)).toMatch(/: it lacks a\.test \(now\.pem\), b\.test \(now\.pem\)$/)
    const empty = `${wanted}    - certFile:\n      keyFile: /certs/c.test/now.key\n`
    expect(namedDetail(empty, wanted), 'a value is one of its own line').toMatch(
      /: other lines of it differ$/,
    )
    // In quadratic time this would take an hour.
    expect(namedDetail(`${wanted}${'\n'.repeat(1_000_000)}`, wanted)).toMatch(/: other lines of it differ$/)
  })

  it('has no map at all without a certificate', () => {
    expect(yamlDocuments.read(rendered([]))).toEqual({ ok: true, data: null })
  })

  it('says any path so that it is read as it was meant, and starts no template', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const in_proxy = `/${text.replaceAll('/', '').toWellFormed()}x`
        const file = rendered([version('a.test')], in_proxy)
        expect(file).not.toMatch(/[{}]|[^\n -~]/)
        expect(yamlDocuments.read(file)).toMatchObject({
          ok: true,
          data: { tls: { certificates: [{ certFile: `${in_proxy}/a.test/now.pem` }] } },
        })
      }),
    )
  })
})

describe('after it was written', () => {
  const sweeping = async (seen: Reading, desired: CertificatesDesired, stubborn: readonly string[] = []) => {
    const gone: string[] = []
    const files = {
      drop: ({ name, fingerprint }: { readonly name: string; readonly fingerprint: string }) => {
        if (stubborn.includes(name)) return Promise.reject(new Failure('storage_unwritable', 'read-only'))
        gone.push(`${name} ${fingerprint}`)
        return Promise.resolve()
      },
    }
    const note = (name: string) => Promise.resolve(void gone.push(`row ${name}`))
    const tx = { dropCertificate: note, dropFailure: () => Promise.resolve() }
    const store = { write: (work: (writer: typeof tx) => Promise<unknown>) => work(tx) }
    const parts = { files, store, log: silentLog, clock: systemClock, directory: 'https://ca.test' }
    await sweep(seen, desired, parts as unknown as Parameters<typeof sweep>[2])
    return gone
  }
  const two = [version('a.test'), version('a.test', 'old')]
  const order = { name: 'a.test' } as CertificateOrder

  it.each<[string, Reading, CertificatesDesired, readonly string[]]>([
    ['an older version goes', reading({ 'a.test': ['a.test'] }, two), wanting(['a.test']), ['a.test old']],
    [
      'not one that is named',
      { ...reading({ 'a.test': ['a.test'] }, two), isNamed: () => true },
      wanting(['a.test']),
      [],
    ],
    [
      'not one of an order',
      { ...reading({ 'a.test': ['a.test'] }, two), orders: new Map([['a.test', order]]) },
      wanting(['a.test']),
      [],
    ],
    ['not one without any row', reading({}, two), wanting(), []],
    [
      'nothing while the version of the row is missing',
      reading({ 'a.test': ['a.test'] }, [version('a.test', 'new')]),
      wanting(['a.test']),
      [],
    ],
    [
      'nothing while the version of the row is broken',
      reading({ 'a.test': ['a.test'] }, [version('a.test', 'now', 'no key'), version('a.test', 'new')]),
      wanting(['a.test']),
      [],
    ],
    [
      'what nobody wants goes, row and all',
      reading({ 'a.test': ['a.test'] }),
      wanting(),
      ['a.test now', 'row a.test'],
    ],
    ['not what may be wanted again', reading({ 'a.test': ['a.test'] }), { wishes: [], kept: ['a.test'] }, []],
  ])('%s', async (_title, seen, desired, expected) => {
    expect(await sweeping(seen, desired)).toEqual(expected)
  })

  it('a row stays as long as its files do', async () => {
    expect(await sweeping(reading({ 'a.test': ['a.test'] }), wanting(), ['a.test'])).toEqual([])
  })
})
