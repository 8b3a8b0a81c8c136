/** A users file that nobody can read is found out to be one once, not at every look. */
import { expect, it } from 'vitest'
import { usersDocuments } from '../../../../src/features/people/users-file/documents.ts'

it('what is wrong with a text is kept as the text is', () => {
  const text = `[${'a,'.repeat(30_000)}`
  // In time of the processor: on a busy machine the second may wait for its turn.
  const used = () => {
    const began = process.cpuUsage()
    const read = usersDocuments.read(text)
    return { read, us: process.cpuUsage(began).user }
  }
  const [first, second] = [used(), used()]
  expect(first.read).toMatchObject({ ok: false, msg: expect.stringContaining('is not YAML here') })
  expect(second.read).toEqual(first.read)
  expect(second.us).toBeLessThan(first.us / 5)
})
