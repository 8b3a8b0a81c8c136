/** Our block in somebody else's file: found, made, and never guessed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blockOf,
  foreignLines,
  readKeysText,
  withBlock,
} from '../../../src/features/ssh-clients/model/block.ts'
import { ED25519, OTHER } from './keys.ts'

const OURS = blockOf([`restrict ${ED25519} alice`])
const [BEGIN = '', , END = ''] = OURS.split('\n')

describe('a file with our block', () => {
  it.each([
    ['alone', '', ''],
    ['after a foreign line', `${OTHER}\n`, ''],
    ['between foreign lines', `# mine\r\n${OTHER}\r\n`, `\r\n# last, without a newline`],
    ['after bytes of any kind', '\0\xff\x80\n', '\n\n\n'],
  ])('%s', (_where, before, after) => {
    const sheet = readKeysText(before + OURS + after)
    expect(sheet).toEqual({ kind: 'block', before, block: OURS, lines: [`restrict ${ED25519} alice`], after })
  })

  it('that an editor gave other line ends is still ours, and is written anew', () => {
    const text = `${OTHER}\r\n${OURS.replaceAll('\n', '\r\n')}`
    const sheet = readKeysText(text)
    expect(sheet).toMatchObject({
      kind: 'block',
      before: `${OTHER}\r\n`,
      lines: [`restrict ${ED25519} alice`],
    })
    if (sheet.kind === 'block') expect(withBlock(sheet, OURS)).toBe(`${OTHER}\r\n${OURS}`)
  })

  it('whose last newline is missing is still ours', () => {
    expect(readKeysText(OURS.trimEnd())).toMatchObject({
      kind: 'block',
      lines: [`restrict ${ED25519} alice`],
    })
  })
})

describe('a damaged block is named and not guessed', () => {
  it.each([
    ['the end is gone', `${BEGIN}\nx\n`, /begins in line 1 and ends nowhere/],
    ['the begin is gone', `x\n${END}\n`, /ends in line 2 and begins nowhere/],
    ['two blocks', OURS + OURS, /begins twice, in lines 1 and 4/],
    ['two ends', `${OURS}${END}\n`, /ends twice, in lines 3 and 4/],
    ['the wrong way round', `${END}\nx\n${BEGIN}\n`, /before it begins/],
    [
      'a marker without its blank',
      OURS.replace('# plumbline:begin', '#plumbline:begin'),
      /changed, in line 1/,
    ],
    ['a marker in capitals', OURS.replace('# plumbline:end', '# Plumbline:END'), /changed, in line 3/],
    ['a marker that is indented', OURS.replace('# plumbline:end', '  # plumbline:end'), /changed, in line 3/],
    ['a marker with another word', OURS.replace('end ssh-clients', 'end ssh-client'), /changed, in line 3/],
  ])('%s', (_what, text, fault) => {
    const sheet = readKeysText(text)
    expect(sheet.kind === 'damaged' ? sheet.fault : sheet.kind).toMatch(fault)
  })
})

const anyText = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '#', '"', '\xff', '\0', OTHER),
  maxLength: 40,
})

describe('whatever stands around it', () => {
  it('foreign bytes stay, and writing again changes nothing', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const first = readKeysText(before)
        if (first.kind !== 'none') throw new Error(first.kind)
        const once = withBlock(first, OURS)
        expect(once.startsWith(before)).toBe(true)
        const again = readKeysText(once + after)
        if (again.kind !== 'block') throw new Error(again.kind)
        expect(again.after).toBe(after)
        const other = withBlock(again, blockOf([]))
        expect(other).toBe(once.slice(0, -OURS.length) + blockOf([]) + after)
        expect(readKeysText(other)).toMatchObject({ kind: 'block', lines: [], after })
      }),
      { numRuns: 500 },
    )
  })

  it('every line is either ours or foreign', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const text = `${before}\n${OURS}${after}`
        const foreign = foreignLines(text).map((line) => line.text)
        expect(foreign.join('\n')).not.toContain('plumbline:')
        expect(foreign).toHaveLength(
          `${before}\n`.split('\n').length -
            1 +
            (after === '' ? 0 : after.replace(/\n$/, '').split('\n').length),
        )
      }),
    )
  })
})
