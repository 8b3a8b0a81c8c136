/** A rendering without or with other objects, and without sections that would have none: Traefik refuses a whole file for one. */
import { sha256 } from '../../../kernel/digest.ts'
import { figuresOf, type RouteObject } from '../render/objects.ts'
import type { RoutesDesired } from '../target/desire.ts'

export const withoutObjects = (
  desired: RoutesDesired,
  isCut: (item: string, object: RouteObject) => boolean,
): RoutesDesired => withObjects(desired, (item, object) => (isCut(item, object) ? null : object))

/**
 * The generation marker stays: it names the release.
 * @param become null for what is cut
 */
export function withObjects(
  desired: RoutesDesired,
  become: (item: string, object: RouteObject) => RouteObject | null,
): RoutesDesired {
  let text = ''
  let section = ['', '']
  const kept = new Map<string, RouteObject>()
  for (const [item, before] of desired.objects()) {
    const object = become(item, before)
    if (object === null) continue
    if (object.placed) {
      const [root = '', kind = ''] = item.split('.', 2)
      if (root !== section[0]) text += `${root}:\n`
      if (root !== section[0] || kind !== section[1]) text += `  ${kind}:\n`
      section = [root, kind]
    }
    kept.set(item, movedTo(text.length, object))
    text += object.text
  }
  const chunks = [Buffer.from(text, 'latin1')]
  return {
    chunks,
    checksum: sha256(chunks),
    generation: desired.generation,
    ...figuresOf(kept),
    objects: () => kept,
  }
}

const movedTo = (start: number, object: RouteObject): RouteObject => ({
  domain: object.domain,
  placed: object.placed,
  start,
  get text() {
    return object.text
  },
  get value() {
    return object.value
  },
})
