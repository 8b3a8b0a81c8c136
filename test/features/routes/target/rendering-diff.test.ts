/** Two renderings side by side: small changes as a patch, large ones entry by entry, huge ones not at all. */
import { applyPatch } from 'diff'
import { expect, it } from 'vitest'
import type { Intent } from '../../../../src/model/intent.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { MAX_COMPARED_BYTES } from '../../../../src/features/routes/target/explain.ts'
import { diffRenderings } from '../../../../src/features/routes/target/rendering-diff.ts'
import { anIntent } from '../../../fixtures.ts'
import { someSettings } from './settings.ts'

const diff = diffRenderings('/etc/traefik/routes.yml')
const rendering = (label: string, intent: Intent) => ({
  label,
  chunks: renderRoutes(intent, someSettings()).chunks,
})

it('a small change is a patch from the one to the other, under their own names', () => {
  const old = rendering('release 1', anIntent({ domain: 'a.example.com' }, { domain: 'b.example.com' }))
  const young = rendering('release 2', anIntent({ domain: 'a.example.com' }))
  const { unified_diff, note } = diff(old, young)
  expect(note).toBeNull()
  expect(unified_diff).toMatch(/^--- \/etc\/traefik\/routes\.yml\trelease 1\n\+\+\+ .*\trelease 2\n/)
  expect(applyPatch(textOf(old.chunks), unified_diff!)).toBe(textOf(young.chunks))
})

it('equal bytes have no text', () => {
  const same = rendering('release 1', anIntent({}))
  expect(diff(same, { ...same, label: 'release 2' })).toEqual({
    unified_diff: null,
    note: 'The bytes are the same.',
  })
})

it('what differs too much for a patch is shown entry by entry', () => {
  const many = (first: number) =>
    anIntent(...Array.from({ length: 900 }, (_, i) => ({ domain: `n${first + i}.example.com` })))
  const { unified_diff, note } = diff(rendering('release 1', many(1000)), rendering('release 2', many(2000)))
  expect(note).toContain('whole entries are shown')
  expect(unified_diff).toMatch(/^--- .*\trelease 1\n\+\+\+ .*\trelease 2\n@@ http\./)
})

it('what is too large to compare is said to be so', () => {
  const huge = { label: 'release 1', chunks: [new Uint8Array(MAX_COMPARED_BYTES + 1)] }
  expect(diff(huge, rendering('release 2', anIntent({})))).toMatchObject({
    unified_diff: null,
    note: expect.stringContaining('not compared'),
  })
})
