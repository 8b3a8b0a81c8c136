/** Entries of single domains, cut out of a rendering and out of whatever stands in its place. */
import { describe, expect, it } from 'vitest'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { MAX_EXCERPT_CHARACTERS, routesExcerpt } from '../../../../src/features/routes/target/target.ts'
import { MAX_COMPARED_BYTES } from '../../../../src/features/routes/target/explain.ts'
import { anIntent } from '../../../fixtures.ts'
import { fileOf } from './memory-file.ts'
import { someSettings } from './settings.ts'

const A = 'a.example.com'
const B = 'b.example.com'
const rendering = renderRoutes(
  anIntent({ domain: A, cors_enabled: true, cors_origin: 'https://x.example.com' }, { domain: B }),
  someSettings(),
)
const text = Buffer.concat(rendering.chunks).toString('latin1')

describe('an excerpt', () => {
  it('holds every entry of the domain under the heading of its section, and nothing of another', () => {
    const excerpt = routesExcerpt.desired(rendering, [A])!
    const lines = excerpt.split('\n').filter((line) => /^ {0,4}\S/.test(line))
    expect(lines).toEqual([
      'http:',
      '  middlewares:',
      `    "plumbline-cors_${A}":`,
      'http:',
      '  routers:',
      `    "plumbline-redirect_${A}":`,
      `    "plumbline-site_${A}":`,
      'http:',
      '  services:',
      `    "plumbline-site_${A}":`,
    ])
    expect(excerpt).not.toContain(B)
  })

  it('of equal entries is equal, whatever happened to the rest', () => {
    const world = fileOf(`# stranger\n${text.replaceAll(B, 'c.example.com')}`)
    expect(routesExcerpt.observed(world, [A])).toBe(routesExcerpt.desired(rendering, [A]))
    expect(routesExcerpt.observed(world, [B])).toBeNull()
  })

  it('of several names holds them all', () => {
    const both = routesExcerpt.desired(rendering, [B, A])!
    expect(both).toContain(`site_${A}`)
    expect(both).toContain(`site_${B}`)
  })

  it.each([
    ['a missing file', { kind: 'absent' } as const, null],
    ['an empty file', fileOf(''), null],
    ['garbage', fileOf('}{'.repeat(1000)), null],
    ['bytes that are no text', fileOf(new Uint8Array([0xff, 0x00])), /no text to show: the file is not text/],
    ['a directory', { kind: 'intruder', what: 'directory' } as const, /a directory stands in the place/],
    ['far too much', { kind: 'oversize', size: 5e8 } as const, /500000000 bytes/],
    ['too much to cut', fileOf(new Uint8Array(MAX_COMPARED_BYTES + 1)), /too large to be cut/],
  ])('of %s says so', (_name, look, expected) => {
    const found = routesExcerpt.observed(look, [A])
    if (expected === null) expect(found).toBeNull()
    else expect(found).toMatch(expected)
  })

  it('cannot drive a terminal, and is not taken for the entry that it imitates', () => {
    const world = fileOf(text.replace(`    "plumbline-site_${A}":\n`, (head) => `${head}      # \u001b[2J\n`))
    const found = routesExcerpt.observed(world, [A])!
    expect(found).toContain('\u241b[2J')
    expect(found).not.toContain('\u001b')
    expect(found).not.toBe(routesExcerpt.desired(rendering, [A]))
  })

  it('is bounded, however long a stranger made the entry', () => {
    const world = fileOf(
      text.replace(`    "plumbline-site_${A}":\n`, (head) => `${head}      # ${'x'.repeat(1e6)}\n`),
    )
    expect(routesExcerpt.observed(world, [A])!.length).toBeLessThan(MAX_EXCERPT_CHARACTERS + 100)
  })
})
