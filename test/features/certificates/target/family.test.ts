/** A certificate's target: one for each name, for as long as anybody works with it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { certificatesFamily } from '../../../../src/features/certificates/target/family.ts'
import type { CertificateParts } from '../../../../src/features/certificates/target/parts.ts'
import { anIntent } from '../../../fixtures.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const parts = { responsibility: 'all', files: { directory: '/d' } }
const family = () => certificatesFamily(parts as unknown as CertificateParts)

it('is the same for whoever asks', () => {
  const of = family()
  const [asked] = of.targetsFor(anIntent({ domain: 'app.example.com' }))
  expect(of.target('app.example.com')).toBe(asked)
})

it('goes with those who asked what would be, and never again', async () => {
  const of = family()
  const seen = (name: string) => new WeakRef(of.targetsFor(anIntent({ domain: name }))[0]!)
  const kept = of.targetsFor(anIntent({ domain: 'app.example.com' }))[0]!
  const [asked, held] = [seen('pr-1.example.com'), seen('app.example.com')]
  await expect
    .poll(() => {
      collectGarbage()
      return asked.deref() === undefined
    })
    .toBe(true)
  expect(held.deref()).toBe(kept)
})

it('is the same for a release that moves only whose its names are', () => {
  const of = family()
  const wildcard = { domain: '*.example.com' }
  const target = of.target('*.example.com')
  const portion = (...rows: readonly { readonly domain: string }[]) =>
    target.portion!(of.desire(anIntent(...rows)))
  const served = portion(wildcard, { domain: 'a.example.com' })
  expect(portion(wildcard)).toBe(served)
  expect(portion(wildcard, { domain: 'example.com' })).not.toBe(served)
  expect(portion()).not.toBe(served)
})

it.each<[certificate: string, domain: string, is_concerned: boolean]>([
  ['a.example.com', 'a.example.com', true],
  ['*.example.com', 'a.example.com', true],
  ['*.example.com', 'example.com', true],
  ['a.example.com', '*.example.com', true],
  ['example.com', '*.example.com', true],
  ['a.example.com', 'b.example.com', false],
  ['b.a.example.com', '*.example.com', false],
  ['example.com', 'a.example.com', false],
])('that of %s has to do with %s: %s', (certificate, domain, is_concerned) => {
  const [row] = anIntent({ domain }).rows
  expect(family().target(certificate).concerns!(row!)).toBe(is_concerned)
})
