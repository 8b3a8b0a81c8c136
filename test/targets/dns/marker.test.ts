/** The mark: what it says, whose it is, and where it stands. */
import { expect, it } from 'vitest'
import { markName, markText, readMark } from '../../../src/targets/dns/marker.ts'

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
