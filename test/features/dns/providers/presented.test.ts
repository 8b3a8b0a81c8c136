/** Values in presentation format: what is written reads back, and what nobody manages may look as it likes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromPresented, presented } from '../../../../src/features/dns/providers/presented.ts'
import { RecordFault } from '../../../../src/features/dns/providers/record-fault.ts'

it('a text reads back as it was written, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), (text) => {
      expect(fromPresented('TXT', presented('TXT', text))).toBe(text)
      expect(presented('TXT', text)).toMatch(/^"[\x20-\x7e]*"$/)
    }),
  )
})

it.each([
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:DB8:0::1', '2001:db8::1'],
  ['CNAME', 'Target.Example.NET.', 'target.example.net'],
  ['MX', '10  mail.example.org.', '10 mail.example.org'],
  ['TXT', '"one " "two"', 'one two'],
  ['HTTPS', '1 . alpn="h2"', '1 . alpn="h2"'],
  ['MX', 'not an exchange', 'not an exchange'],
])('%s %s is %s', (type, text, value) => {
  expect(fromPresented(type, text)).toBe(value)
})

it.each([
  ['A', '1.2.3'],
  ['AAAA', '192.0.2.1'],
  ['CNAME', 'two words'],
  ['TXT', '"no end'],
])('%s %s is a fault', (type, text) => {
  expect(() => fromPresented(type, text)).toThrow(RecordFault)
})
