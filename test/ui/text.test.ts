/** What the pages make of texts of the API: moments in prose, entries of the trail, drafts that are kept, what an event makes old. */
import { expect, it } from 'vitest'
import { staleBy } from '../../src/ui/api/stale-by.ts'
import { movedIn, restOf } from '../../src/ui/model/audit-words.ts'
import { emptyDraft, typedAgain, withoutSecrets } from '../../src/ui/model/new-domain.ts'
import { sentence } from '../../src/ui/model/words.ts'
import { momentText, proseParts, proseText } from '../../src/ui/model/text/prose.ts'

const AT = Date.parse('2026-11-27T08:00:00Z')

it('a moment in a sentence stands apart from its words, and is read by its nearness', () => {
  expect(proseParts('It ended at 2026-11-27T08:00:00Z.')).toEqual(['It ended at ', { at: AT }, '.'])
  expect(proseParts('2026-11-27T08:00:00.000Z')).toEqual([{ at: AT }])
  expect(proseParts('nothing of 2026-13-77T99:00:00Z')).toEqual(['nothing of 2026-13-77T99:00:00Z'])
  expect(momentText(AT, AT + 60_000)).toMatch(/^\d\d:\d\d$/)
  expect(momentText(AT, AT + 2 * 86_400_000)).toMatch(/^27 Nov, \d\d:\d\d$/)
  expect(momentText(AT, AT + 30 * 86_400_000)).toBe('27 Nov 2026')
  expect(proseText('until 2026-11-27T08:00:00Z', AT + 9 * 86_400_000)).toBe('until 27 Nov 2026')
})

it('an entry of the trail shows each field that moved, and what else it says', () => {
  const detail = { release: 4, backend_port: { before: 3000, after: 3001 }, plan: null }
  expect(movedIn(detail)).toEqual([{ field: 'backend_port', before: 3000, after: 3001 }])
  expect(restOf(detail)).toEqual([['release', 4]])
})

it('a draft is kept without a password, and found again over what the page begins with', () => {
  const draft = { ...emptyDraft('a.example.com', ''), target: 'http://ana:secret@10.0.0.1:3000/' }
  const kept = withoutSecrets(draft)
  expect(kept.target).toBe('http://10.0.0.1:3000/')
  const begun = emptyDraft('', '')
  expect(typedAgain(begun, kept)).toEqual(kept)
  expect(typedAgain(begun, null)).toBe(begun)
  // Of an older page, which had fewer fields.
  expect(typedAgain(begun, { name: 'b.example.com' }).more).toEqual(begun.more)
})

it('a part of a sentence becomes one, and a name at its beginning stays as it is', () => {
  expect(sentence('changed by hand at line 337')).toBe('Changed by hand at line 337.')
  expect(sentence('ns2.example did not answer.')).toBe('ns2.example did not answer.')
  expect(sentence('')).toBe('')
})

it('an event makes old what it names', () => {
  expect(staleBy('session')).toContain('/api/sessions')
  expect(staleBy('certificate')).toContain('/api/certificates')
  expect(staleBy('dns')).toContain('/api/dns')
  expect(staleBy('ignored')).toContain('/api/drift')
  for (const kind of ['edge', 'edge_online', 'edge_offline']) expect(staleBy(kind)).toContain('/api/ccm/edge')
  expect(staleBy('hello')).toEqual([])
})
