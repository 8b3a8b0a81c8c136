/** A users file that nobody can read is found out to be one once, not at every look. */
import { expect, it } from 'vitest'
import { usersDocuments } from '../../../../src/features/people/users-file/documents.ts'

it('what is wrong with a text is kept as the text is', () => {
  const text = `[${'a,'.repeat(100_000)}`
  const took = () => {
    const began = performance.now()
    const read = usersDocuments.read(text)
    return { read, ms: performance.now() - began }
  }
  const [first, second] = [took(), took()]
  expect(first.read).toMatchObject({ ok: false, msg: expect.stringContaining('is not YAML here') })
  expect(second.read).toEqual(first.read)
  expect(second.ms).toBeLessThan(first.ms / 5)
})
