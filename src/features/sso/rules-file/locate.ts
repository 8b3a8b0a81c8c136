/** Where something stands in a YAML text, for messages about its content. */
import { isMap, isScalar, isSeq, type Node } from 'yaml'
import { compose } from '../../../io/yaml/compose.ts'
import { lineAt, YamlFault } from '../../../io/yaml/fault.ts'
import { scan } from '../../../io/yaml/scan.ts'

/**
 * The line, counted from 1, of what this path of keys and positions leads to, or of the last thing on the way that is there.
 * Null where the text is none.
 */
export function yamlLine(text: string, path: readonly (string | number)[]): number | null {
  try {
    let node = compose(scan(text))
    for (const step of path) {
      const next = stepInto(node, step)
      if (next === null) break
      node = next
    }
    const offset = node?.range?.[0]
    return offset === undefined ? null : lineAt(text, offset)
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error
    return null
  }
}

function stepInto(node: Node | null, step: string | number): Node | null {
  if (isSeq(node)) return (node.items[Number(step)] as Node | undefined) ?? null
  if (!isMap(node)) return null
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
  return ((pair?.value ?? pair?.key) as Node | undefined) ?? null
}
