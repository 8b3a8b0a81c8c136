/** The mark: what it says, whose it is, and where it stands. */
import { expect, it } from 'vitest'
import {
  markName,
  markText,
  readMark,
  stampOf,
  textBehind,
  withNumber,
  withoutNumber,
} from '../../../../src/features/dns/target/marks/marker.ts'

const US = '0b4f5d3c-7a52-4c1e-9a56-1f0f6a3f2d11'

it.each<[string, ReturnType<typeof readMark>]>([
  [markText(US, 7), { kind: 'ours', domain_id: 7 }],
  [`${markText(US, 7)} do not touch`, { kind: 'ours', domain_id: 7 }],
  [`${markText(US, 7)}\nnor this`, { kind: 'ours', domain_id: 7 }],
  ['plumbline:1:somebody:7', { kind: 'other', installation: 'somebody' }],
  [`plumbline:2:${US}:7`, { kind: 'other', installation: US }],
  [`plumbline:1:${US}`, { kind: 'other', installation: US }],
  [`plumbline:1:${US}:`, { kind: 'other', installation: US }],
  ['plumbline:9', null],
  [`see plumbline:1:${US}:7`, null],
  [`"plumbline:1:${US}:7"`, null],
  ['', null],
])('reads %j', (text, mark) => expect(readMark(text, US)).toEqual(mark))

it.each([
  ['app.example.com', '_plumbline.app.example.com'],
  ['*.apps.example.com', '_plumbline._any.apps.example.com'],
  ['example.com', '_plumbline.example.com'],
  [`${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`, null],
])('the mark of %s stands at %s', (name, at) => expect(markName(name)).toBe(at))

const STAMP = { installation_id: US, number: 12, mark: '0123456789abcdef' }
const NUMBER = 'change=12:0123456789abcdef'

it.each([
  [markText(US, 7), `${markText(US, 7)} ${NUMBER}`],
  [`${markText(US, 7)} do not touch`, `${markText(US, 7)} ${NUMBER} do not touch`],
  [`${markText(US, 7)}\nnor this`, `${markText(US, 7)} ${NUMBER}\nnor this`],
  [`${markText(US, 7)} change=3 do not touch`, `${markText(US, 7)} ${NUMBER} do not touch`],
  [`${markText(US, 7)} change=many`, `${markText(US, 7)} ${NUMBER} change=many`],
  ['plumbline:1:somebody:7', 'plumbline:1:somebody:7'],
  ['do not touch', 'do not touch'],
])('a mark that says how far we are keeps what people wrote: %j', (text, numbered) => {
  expect(withNumber(text, STAMP, 200)).toBe(numbered)
  expect(withNumber(numbered, STAMP, 200)).toBe(numbered)
  expect(readMark(numbered, US)).toEqual(readMark(text, US))
  expect(withoutNumber(numbered, US)).toBe(text.replace(' change=3', ''))
  expect(textBehind(numbered, US)).toBe(textBehind(text.replace(' change=3', ''), US))
  expect(stampOf(numbered, US)).toEqual(numbered === text ? null : STAMP)
})

it('a number that does not fit is left out, and nothing that people wrote is cut for it', () => {
  const text = `${markText(US, 7)} ${'x'.repeat(40)}`
  expect(withNumber(text, STAMP, text.length + NUMBER.length)).toBe(text)
  expect(withNumber(text, STAMP, text.length + NUMBER.length + 1)).toContain(NUMBER)
  const longest = { ...STAMP, number: 999_999_999 }
  expect(withNumber(markText(US, 999_999), longest, 100)).toContain('change=999999999:')
})

it.each([markText(US, 7), `${markText(US, 7)} change=12x`, `plumbline:1:other:7 ${NUMBER}`, NUMBER, ''])(
  'no number stands in %j',
  (text) => expect(stampOf(text, US)).toBeNull(),
)
