/** Times in sentences are shown as all others; what people wrote and what programs read stays as it came. */
import { expect, it } from 'vitest'
import { withShortTimes } from '../../src/cli/text/short-times.ts'

const TIME = '2030-01-31T12:00:00.000Z'

it('shortens the times of sentences, and of nothing else', () => {
  const answer = {
    message: `It ends at ${TIME}.`,
    expires_at: TIME,
    note: `moved at ${TIME}`,
    warnings: [`${TIME} is past`],
    rows: [{ detail: `until ${TIME}, not ${TIME}`, at: TIME, detail_of: null }],
  }
  expect(withShortTimes(answer)).toEqual({
    ...answer,
    message: 'It ends at 2030-01-31 12:00:00Z.',
    warnings: ['2030-01-31 12:00:00Z is past'],
    rows: [{ detail: 'until 2030-01-31 12:00:00Z, not 2030-01-31 12:00:00Z', at: TIME, detail_of: null }],
  })
  expect(withShortTimes([TIME, null, 7])).toEqual([TIME, null, 7])
})
