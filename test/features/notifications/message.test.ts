/** A message in words: one line for one cause, a title that says the verdict, nothing that a chat would act on. */
import { expect, it } from 'vitest'
import type { Digest } from '../../../src/features/notifications/decide.ts'
import { messageOf, testMessage } from '../../../src/features/notifications/message.ts'
import type { Alert } from '../../../src/model/alert.ts'
import { noticed, T0 } from './samples.ts'

const ENVELOPE = { id: 'd1', at: T0, source: 'https://ctl.example.com' }
const base = noticed().alert
const of = (fields: Partial<Alert> = {}): Alert => ({ ...base, ...fields })
const digest = (fields: Partial<Digest>): Digest => ({ news: [], still: [], over: [], open: 0, ...fields })

const FORTY = Array.from({ length: 40 }, (_, i) => {
  const name = `app${String(i).padStart(2, '0')}.example.com`
  return of({ id: `condition/routes/${i + 1}`, domains: [name], since: T0 + i })
})

it('forty domains with one cause are one line with the count and the first names', () => {
  const message = messageOf(digest({ news: FORTY, open: 40 }), ENVELOPE)
  expect(message.new).toHaveLength(1)
  expect(message.new[0]).toMatchObject({ count: 40, since: '2030-01-31T12:00:00.000Z', ended: null })
  expect(message.new[0]!.domains).toHaveLength(10)
  expect(message.new[0]!.ids).toHaveLength(40)
  expect(message.title).toBe(
    'Plumbline: routes drifting (app00.example.com, app01.example.com, app02.example.com and 37 more)',
  )
  expect(message.text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1)
  expect(message).toMatchObject({ verdict: 'wrong', version: 1, id: 'd1', open: 40 })
})

it('other causes are other lines, the worst first, and it is the one in the title', () => {
  const open = of({ id: 'q', kind: 'route_open', severity: 'critical', component: 'sso', key: 'quarantine' })
  const zone = of({ id: 'z', component: 'dns', key: 'dns:example.com', kind: 'failing', severity: 'warning' })
  const message = messageOf(digest({ news: [base, zone, open], open: 3 }), ENVELOPE)
  expect(message.new.map(({ kind }) => kind)).toEqual(['route_open', 'failing', 'drift_lasting'])
  expect(message.title).toBe('Plumbline: sso quarantine route open; 2 more')
  expect(message.text).toContain('- dns:example.com failing, since')
})

it.each<[string, Partial<Digest>, string, string]>([
  ['an end', { over: [{ alert: base, ended_at: T0 }] }, 'recovered', 'Plumbline: over: routes drifting'],
  ['a reminder', { still: [base] }, 'still_wrong', 'Plumbline: still routes drifting'],
  [
    'all three',
    { news: [of({ key: 'edge' })], still: [base], over: [{ alert: of({ id: 'x' }), ended_at: T0 }] },
    'wrong',
    'Plumbline: routes edge drifting; 1 still, 1 over',
  ],
])('%s says so', (_name, fields, verdict, title) => {
  expect(messageOf(digest(fields), ENVELOPE)).toMatchObject({ verdict, title })
})

it('an end names when it was, and needs no remedy', () => {
  const { over, text } = messageOf(digest({ over: [{ alert: base, ended_at: T0 + 60_000 }] }), ENVELOPE)
  expect(over[0]).toMatchObject({ since: '2030-01-31T12:00:00.000Z', ended: '2030-01-31T12:01:00.000Z' })
  expect(text).toContain('from 2030-01-31T12:00:00.000Z to 2030-01-31T12:01:00.000Z')
  expect(text).not.toContain(base.remedy)
})

it('what was seen outside makes no chat shout, link or swell', () => {
  const message = `<!channel> @everyone <https://evil.example|click> ${'x'.repeat(5000)}`
  const { text, new: lines } = messageOf(digest({ news: [of({ message })], open: 1 }), ENVELOPE)
  expect(text).not.toMatch(/[<>]/)
  expect(text).not.toMatch(/@\w/)
  expect(lines[0]!.message.length).toBeLessThanOrEqual(500)
})

it('five hundred causes are fifty lines and a word on the rest', () => {
  const news = Array.from({ length: 500 }, (_, i) => of({ id: `k${i}`, key: `dns:z${i}.example` }))
  const message = messageOf(digest({ news, open: 500 }), ENVELOPE)
  expect(message.new).toHaveLength(50)
  expect(message.text).toContain('- and 450 more')
  expect(JSON.stringify(message).length).toBeLessThan(64 * 1024)
})

it('a test says that nothing is wrong', () => {
  expect(testMessage(ENVELOPE)).toMatchObject({ verdict: 'test', open: 0, new: [], over: [] })
})
