/** Sections of settings come in the order of the list of features; one that names another comes behind it. */
import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/config/sections.ts'

const order = (...manifests: Parameters<typeof sectionsOf>[0]) => Object.keys(sectionsOf(manifests))

describe('the order of sections', () => {
  it('is that of the list, and within a feature that of its manifest', () => {
    expect(
      order({ name: 'a', settings: { z: {}, b: {} } }, { name: 'c' }, { name: 'd', settings: { a: {} } }),
    ).toEqual(['z', 'b', 'a'])
  })

  it('puts one that names another behind that, with those that follow it, wherever their features stand', () => {
    const early = { name: 'early', settings: { x: {}, y: {} }, settings_after: { x: 'p' } }
    const late = { name: 'late', settings: { p: {}, q: {} }, settings_after: { q: 'y' } }
    expect(order(early, { name: 'between', settings: { m: {} } }, late)).toEqual(['m', 'p', 'x', 'y', 'q'])
  })

  it.each([
    ['names none', { x: 'gone' }],
    ['names itself', { x: 'x' }],
    ['goes round', { x: 'y', y: 'x' }],
  ])('refuses one that %s', (_what, settings_after) => {
    expect(() => order({ name: 'a', settings: { x: {}, y: {} }, settings_after })).toThrow(
      /No section .*: .*x/,
    )
  })

  it('refuses a place for one that the feature does not bring', () => {
    const other = { name: 'other', settings: { b: {} } }
    expect(() => order({ name: 'a', settings: { x: {} }, settings_after: { b: 'x' } }, other)).toThrow(
      'No section of a is called b.',
    )
  })

  it('refuses two of one name', () => {
    const settings = { x: {} }
    expect(() => order({ name: 'a', settings }, { name: 'b', settings, settings_after: { x: 'x' } })).toThrow(
      /one name/,
    )
  })
})
