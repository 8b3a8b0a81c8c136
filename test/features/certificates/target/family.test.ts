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
