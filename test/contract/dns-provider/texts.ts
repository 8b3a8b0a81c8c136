/** Texts that a careless writer would break. */
import { it } from 'vitest'
import { eachProvider, type OpenProvider } from './opened.ts'
import { steps } from './steps.ts'
import { itOneIn } from '../../kit/in-depth.ts'

export const HARD_TEXTS: Readonly<Record<string, string>> = {
  'with quotes': 'say "hello" and "bye"',
  'that is a quote': '"',
  'with backslashes': 'C:\\path\\to\\nowhere\\',
  'with a backslash before a quote': 'a\\"b',
  'that looks like an escape': '\\065 \\n \\"',
  'with blanks at both ends and in a row': '  a  b  ',
  'with a semicolon': 'v=DMARC1; p=none; rua=mailto:a@example.com',
  'with brackets, at signs and dollars': '(a) @ $ORIGIN $TTL #1',
  'in quotes already': '"quoted"',
  'of two strings, it seems': '"one" "two"',
  'that is a number': '42',
  'with letters beyond ASCII': 'größe ☃ ümläut',
  'of 255 octets': 'x'.repeat(255),
  'of 256 octets': 'y'.repeat(256),
  'of 600 octets, quotes at the seams': `${'z'.repeat(254)}"\\${'z'.repeat(253)}"\\${'z'.repeat(89)}`,
}

export function textsContract(open: OpenProvider): void {
  const opened = eachProvider(open)

  itOneIn(5).each(Object.entries(HARD_TEXTS))('a text %s', async (_, text) => {
    const set = { name: `text.${opened().zone}`, type: 'TXT' }
    await steps(
      opened(),
      [{ ...set, values: [text] }],
      [{ ...set, values: ['plain', text] }],
      [{ ...set, values: ['plain'] }],
      [{ ...set, values: null }],
    )
  })

  it('all of them in one set', async () => {
    const set = { name: `texts.${opened().zone}`, type: 'TXT' }
    const values = Object.values(HARD_TEXTS).slice(0, -1)
    await steps(
      opened(),
      [{ ...set, values }],
      [{ ...set, values: values.slice(3) }],
      [{ ...set, values: null }],
    )
  })
}
