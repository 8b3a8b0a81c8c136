/** Groups of endpoints, in the order in which they come, each with what its endpoints say that it is about. */
import type { Endpoint, Tag } from '../contract.ts'

interface Group extends Partial<Tag> {
  readonly name: string
}

export function tagsOf(endpoints: readonly Endpoint[]): Group[] {
  const groups = new Map<string, Group>()
  for (const tag of endpoints.flatMap(({ tags }) => tags)) groups.set(nameOf(tag), merged(tag, groups))
  return [...groups.values()]
}

function merged(tag: string | Tag, groups: ReadonlyMap<string, Group>): Group {
  const known = groups.get(nameOf(tag))
  if (typeof tag === 'string') return known ?? { name: tag }
  if (known?.description !== undefined && known.description !== tag.description)
    throw new Error(
      `The group ${tag.name} is described twice: "${known.description}" and "${tag.description}".`,
    )
  return tag
}

export const nameOf = (tag: string | Tag): string => (typeof tag === 'string' ? tag : tag.name)
