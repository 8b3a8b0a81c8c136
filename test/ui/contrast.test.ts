/** Every colour of the console is read on every ground that it stands on: 4.5 to 1 for text, 3 to 1 for edges and shapes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const SHEET = readFileSync(new URL('../../src/ui/style/tokens.css', import.meta.url), 'utf8')

/** The first block is light; the block of the theme that was chosen is dark, and the one that follows the system the same. */
const blocks = [...SHEET.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, text = '']) => tokensOf(text))

function tokensOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name = '', colour = '']) => [name, colour]),
  )
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

const GROUNDS = ['paper', 'card', 'sunk', 'select']
const STATES = ['ok', 'pending', 'drift', 'bad', 'unknown']
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...['ink', 'ink2', 'ink3', 'accent', ...STATES].flatMap((text) =>
    GROUNDS.map((ground) => [text, ground, 4.5] as const),
  ),
  ...STATES.map((state) => [state, `${state}-soft`, 4.5] as const),
  ...['ink', 'ink2'].flatMap((text) => STATES.map((state) => [text, `${state}-soft`, 4.5] as const)),
  ['accent', 'accent-soft', 4.5],
  ['on-accent', 'accent', 4.5],
  ['paper', 'ink', 4.5],
  ...['paper', 'card', 'sunk'].map((ground) => ['edge', ground, 3] as const),
]

describe('the colours', () => {
  it('of the theme that is chosen are those of the system', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(3)
    expect(blocks[2]).toEqual(blocks[1])
  })

  it.each([
    ['light', 0],
    ['dark', 1],
  ] as const)('can be read, %s', (_, at) => {
    const tokens = blocks[at]!
    const weak = PAIRS.flatMap(([text, ground, least]) => {
      const found = contrast(tokens.get(text)!, tokens.get(ground)!)
      return found < least ? [`${text} on ${ground}: ${found.toFixed(2)}`] : []
    })
    expect(weak).toEqual([])
  })
})
