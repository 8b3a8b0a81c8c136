/** Files that somebody damaged or made up: the answer is a listing or a Failure, and what cannot be read is not written. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { HEAD, never, wish, zoneFolder } from './zone-folder.ts'
import { runs, share } from '../../../kit/tier.ts'

const SAMPLE = Buffer.from(
  `${HEAD}a 60 IN A 192.0.2.1 ; one\n\tAAAA 2001:db8::1\n$ORIGIN sub\nb TXT ( "q\\"x" \\065\n "\\255" ) ; two\n$TTL 5m\n@ MX 10 mail\nc TYPE999 \\# 3 abcdef\nd HTTPS 1 . alpn="h2"\n_s._tcp SRV 1 2 3 .\n`,
)
const PIECES = [
  '"',
  '\\',
  '(',
  ')',
  ';',
  '\n',
  '\r',
  '\t',
  '$',
  '@',
  '.',
  '\0',
  '\u00ff',
  '\\#',
  '$INCLUDE x\n',
  '9'.repeat(40),
  'a'.repeat(300),
  '\\\n',
]

/** Bytes cut out, doubled, changed or put in. */
const damage = fc.record({
  at: fc.nat(SAMPLE.length),
  cut: fc.nat(12),
  put: fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })),
})
const damaged = fc
  .array(damage, { minLength: 1, maxLength: 5 })
  .map((all) =>
    all.reduce(
      (bytes, { at, cut, put }) =>
        Buffer.concat([bytes.subarray(0, at), Buffer.from(put, 'latin1'), bytes.subarray(at + cut)]),
      SAMPLE,
    ),
  )
const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const wordy = fc
  .array(
    fc.constantFrom(
      'a',
      'A',
      'IN',
      '60',
      '(',
      ')',
      '"',
      ';',
      ' ',
      '\n',
      '\t',
      '@',
      'SOA',
      'TXT',
      '\\',
      '1',
      '.',
      '$TTL',
      '$ORIGIN',
    ),
    { maxLength: 60 },
  )
  .map((words) => Buffer.from(words.join(' ')))

it('hostile files give a listing or a Failure, and none that is refused is written', async () => {
  const { provider, put, textOf } = zoneFolder()
  let [read, refused] = [0, 0]
  const change = wish('new.example.org', 'A', ['192.0.2.1'])
  const file = fc.oneof({ weight: 4, arbitrary: damaged }, noise, wordy)
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      put('example.org', bytes)
      const listed = await provider.list('example.org', never).catch((error: unknown) => error)
      const changed = await provider.change('example.org', [change], never).catch((error: unknown) => error)
      if (Array.isArray(listed)) {
        read++
        expect(changed).toEqual([{ ok: true, ids: [] }])
        const after = await provider.list('example.org', never)
        expect(after.filter(({ name }) => name !== change.name)).toEqual(listed)
      } else {
        refused++
        expect([listed, changed]).toEqual([expect.any(Failure), expect.any(Failure)])
        expect(textOf('example.org')).toBe(bytes.toString('latin1'))
      }
    }),
    { numRuns: runs(5000) },
  )
  // Both kinds were really met.
  expect(Math.min(read, refused)).toBeGreaterThan(share(5000, 100))
})
