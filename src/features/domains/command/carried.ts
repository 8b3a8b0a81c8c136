/** What was saved of a domain before and is not deployed: a deploy of anything else takes it along, so it is said. */
import { type Api, expectGood } from '../../../cli/api.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import type { Editions } from '../editions/views.ts'

/**
 * Fields that a deploy brings out along with a change of others, as `backend_port 8080 -> 9090`; none where nothing of it is
 * released.
 */
export async function carriedAlong(
  api: Api,
  id: number,
  body: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const editions = await expectGood<Editions>(api, { method: 'GET', path: `/api/domains/${id}/editions` })
  const { saved, released, moved } = editions
  if (released === null) return []
  return moved
    .filter((field) => !(field in body))
    .map((field) => `${field} ${shownValue(released[field])} -> ${shownValue(saved[field])}`)
}

export const carriedWords = (carried: readonly string[]): string =>
  `Saved before, this also goes live: ${carried.join(', ')}.`
