/** A rendering without some of its objects, and without sections that would have none: Traefik refuses a whole file for one. */
import { sha256 } from '../../../kernel/digest.ts'
import { figuresOf, type RouteObject } from '../render/objects.ts'
import type { RoutesDesired } from '../target/desire.ts'

/** The generation marker stays: it names the release. */
export function withoutObjects(
  desired: RoutesDesired,
  isCut: (item: string, object: RouteObject) => boolean,
): RoutesDesired {
  let text = ''
  let section = ['', '']
  const kept = new Map<string, RouteObject>()
  for (const [item, object] of desired.objects()) {
    if (isCut(item, object)) continue
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
